// `bouquet completion`: a completion script for the shell, made from the same definitions as the command line itself.
#include <iostream>
#include <memory>
#include <string>

#include "cli/command.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

std::string flags_of(const CLI::App& command) {
  std::string flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags += " --" + name;
  }
  return flags;
}

std::string bash_script(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += " " + command->get_name();
    cases += fmt::format("    {}) flags=\"{}\" ;;\n", command->get_name(), flags_of(*command));
  }
  return fmt::format(R"(# bash completion for bouquet:  source <(bouquet completion bash)
_bouquet() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _bouquet bouquet
)",
                     names, cases);
}

std::string zsh_script(const CLI::App& app) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script(app);
}

std::string fish_script(const CLI::App& app) {
  std::string script = "# fish completion for bouquet:  bouquet completion fish | source\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    script += fmt::format("complete -c bouquet -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                          command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script +=
            fmt::format("complete -c bouquet -n '__fish_seen_subcommand_from {}' -l {}\n", command->get_name(), name);
      }
    }
  }
  return script;
}

}  // namespace

Action add_completion(CLI::App& app) {
  CLI::App* c = app.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  auto shell = std::make_shared<std::string>("bash");
  c->add_option("shell", *shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->capture_default_str();
  c->footer("  source <(bouquet completion bash)");
  return [shell, &app] {
    std::cout << (*shell == "bash" ? bash_script(app) : *shell == "zsh" ? zsh_script(app) : fish_script(app));
    return absl::OkStatus();
  };
}

}  // namespace bouquet::cli
