"""What lies in deploy/ fits the program and itself. What needs a tool that is not installed is skipped, with the reason.

    deploy_test.py BOUQUET SOURCE_DIRECTORY
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from server import Ivy, Server, Tulip, free_port, subcommands

try:
    import yaml
except ImportError:
    yaml = None
try:
    import helm_python
except (ImportError, OSError):
    helm_python = None
try:
    import kubernetes_validate
except ImportError:
    kubernetes_validate = None

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
DEPLOY = f"{SOURCE}/deploy"
CHART = f"{DEPLOY}/helm/bouquet"
MODEL = f"{SOURCE}/tests/golden/models/pool-mean"
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# Read by the program, but no flags.
OTHER_VARIABLES = {"BOUQUET_CACHE"}

needs_yaml = unittest.skipUnless(yaml, "needs PyYAML (Debian: python3-yaml)")
needs_helm = unittest.skipUnless(yaml and helm_python, "needs the Python packages helm-python-sdk and PyYAML: make test-deploy")


def read(path):
    with open(path) as file:
        return file.read()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def flags_of(command):
    return set(FLAG.findall(run(BOUQUET, command, "--help").stdout))


class FlagsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.flags = {command: flags_of(command) for command in subcommands(BOUQUET)}
        cls.all_flags = set().union(*cls.flags.values())

    def expect_flags(self, found, known, where):
        self.assertEqual(sorted(set(found) - known), [], f"{where} has flags that don't exist")

    def test_templates(self):
        shared = FLAG.findall(read(f"{CHART}/templates/_helpers.tpl"))
        for part in ("ivy", "tulip"):
            args = re.findall(r"^ *- (--[a-z-]+)$", read(f"{CHART}/templates/{part}.yaml"), re.M)
            self.assertGreater(len(args), 5)
            self.expect_flags(args + [flag for flag in shared if flag != "--port"], self.flags[part], f"{part}.yaml")

    def test_words_about_flags(self):
        for name in ["helm/bouquet/values.yaml", "prometheus/alerts.yaml", *glob.glob("systemd/*", root_dir=DEPLOY)]:
            self.expect_flags(FLAG.findall(read(f"{DEPLOY}/{name}")), self.all_flags | {"--set"}, name)

    def test_commands(self):
        """`bouquet COMMAND --flag ...` wherever it stands."""
        found = 0
        for name in ["README.md", "Dockerfile", "compose.yaml", *glob.glob("systemd/*", root_dir=DEPLOY)]:
            for command, rest in re.findall(r"\bbouquet (serve|ivy|tulip|pull)\b(.*)", read(f"{DEPLOY}/{name}")):
                self.expect_flags(FLAG.findall(rest), self.flags[command], name)
                found += 1
        self.assertGreater(found, 4)

    def test_variables(self):
        known = {"BOUQUET_" + flag[2:].upper().replace("-", "_") for flag in self.all_flags} | OTHER_VARIABLES
        found = set()
        for folder, _, names in os.walk(DEPLOY):
            for name in names:
                found |= set(re.findall(r"\bBOUQUET_[A-Z_]+\b", read(f"{folder}/{name}")))
        self.assertGreater(len(found), 5)
        self.assertEqual(sorted(found - known), [])


class ImageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = read(f"{DEPLOY}/Dockerfile")
        lines = [line for line in cls.text.splitlines() if not line.lstrip().startswith("#")]
        cls.steps = [step for step in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines() if step.strip()]
        runtime = cls.text[cls.text.rindex("\nFROM "):]
        cls.packages = re.search(r"--no-install-recommends ([^&]*)&&", runtime.replace("\\\n", " ")).group(1).split()

    def test_copied_files_are_there_and_reach_the_build(self):
        ignore = [line for line in read(f"{SOURCE}/.dockerignore").splitlines() if line and not line.startswith("#")]
        self.assertEqual(ignore[0], "*")
        kept = [line[1:] for line in ignore[1:]]
        self.assertTrue(all(line.startswith("!") for line in ignore[1:]))
        copied = set()
        for step in self.steps:
            if step.startswith("COPY ") and "--from=" not in step:
                copied |= set(step.split()[1:-1])
        self.assertGreater(len(copied), 4)
        for path in copied:
            self.assertTrue(os.path.exists(f"{SOURCE}/{path}"), path)
            self.assertIn(path, kept, ".dockerignore keeps it from the build")
        self.assertEqual(sorted(set(kept) - copied), [], "in .dockerignore, but not copied")

    def test_what_cmake_names_is_copied(self):
        listing = read(f"{SOURCE}/CMakeLists.txt")
        copied = {name for step in self.steps if step.startswith("COPY ") for name in step.split()[1:-1]}
        for folder in set(re.findall(r"\b(cmake|src|bench|proto)/", listing)):
            self.assertIn(folder, copied)

    def test_user_and_architecture(self):
        user = [step.split()[1] for step in self.steps if step.startswith("USER ")][-1]
        self.assertRegex(user, r"^[1-9][0-9]*:0$", "a number, so that it can be told from root")
        self.assertNotIn("--platform", self.text)
        self.assertNotRegex(self.text, r"amd64|x86_64-linux|aarch64|TARGETARCH")
        self.assertIn('ENTRYPOINT ["bouquet"]', self.steps)
        self.assertRegex(self.text, r"install -d -m 1777 /data")

    def test_packages_are_known(self):
        policy = run("apt-cache", "policy", *self.packages) if shutil.which("apt-cache") else None
        if policy is None or "libc6:" not in run("apt-cache", "policy", "libc6").stdout:
            self.skipTest("needs apt")
        if "bookworm" not in read("/etc/os-release"):
            self.skipTest("the image is of Debian 12, which this is not")
        without = [package for package in self.packages
                   if not re.search(rf"^{re.escape(package)}:\n.*\n  Candidate: [^(]", policy.stdout, re.M)]
        self.assertEqual(without, [])

    def test_packages_have_what_the_binary_is_linked_with(self):
        if not shutil.which("dpkg") or not shutil.which("objdump"):
            self.skipTest("needs dpkg and objdump")
        if "bookworm" not in read("/etc/os-release"):
            self.skipTest("the image is of Debian 12, which this is not")
        needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", BOUQUET).stdout)
        self.assertIn("libc.so.6", needed)
        for library in needed:
            if re.match(r"lib[atu]b?san", library):
                continue  # a sanitizer's, which no image has
            owners = set(re.findall(r"^([^:\s]+)", run("dpkg", "-S", f"*/{library}").stdout, re.M))
            self.assertTrue(owners & {*self.packages, "libc6"}, f"{library} is in {sorted(owners)}")

    def test_health_check(self):
        script = f"{DEPLOY}/healthcheck"

        class NotReady(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(503)
                self.end_headers()

            def log_message(self, *_):
                pass

        with Server(BOUQUET, MODEL) as server:
            self.assertEqual(run(script, str(server.port)).returncode, 0)
            self.assertEqual(run("env", f"BOUQUET_PORT={server.port}", script).returncode, 0)
        with Tulip(BOUQUET, MODEL) as tulip:
            self.assertEqual(run(script, str(tulip.port)).returncode, 0)
        self.assertNotEqual(run(script, str(free_port())).returncode, 0)
        with HTTPServer(("127.0.0.1", 0), NotReady) as not_ready:
            thread = threading.Thread(target=not_ready.serve_forever)
            thread.start()
            code = run(script, str(not_ready.server_port)).returncode
            not_ready.shutdown()
            thread.join()
        self.assertNotEqual(code, 0)


@needs_yaml
class ComposeTest(unittest.TestCase):
    def test_it_fits_itself(self):
        compose = yaml.safe_load(read(f"{DEPLOY}/compose.yaml"))
        services = compose["services"]
        commands = sorted(service["command"][0] for service in services.values())
        self.assertEqual(commands, ["ivy", "pull", "tulip", "tulip"])
        for name, service in services.items():
            with self.subTest(name):
                self.assertIs(service["read_only"], True)
                self.assertEqual(service["cap_drop"], ["ALL"])
                self.assertIn(service["restart"], ("unless-stopped", "on-failure"))
                self.assertIn("healthcheck", service)
                self.assertTrue(set(service.get("depends_on", {})) <= set(services))
                for volume in service["volumes"]:
                    self.assertIn(volume.split(":")[0], compose["volumes"])
                build = service["build"]
                context = os.path.normpath(f"{DEPLOY}/{build['context']}")
                self.assertTrue(os.path.samefile(context, SOURCE))
                self.assertTrue(os.path.exists(f"{context}/{build['dockerfile']}"))
        upstreams = services["ivy"]["environment"]["BOUQUET_UPSTREAM"].split(",")
        tulips = [name for name, service in services.items() if service["command"] == ["tulip"]]
        self.assertEqual(sorted(upstreams), sorted(f"{name}:9090" for name in tulips))
        self.assertEqual(sorted(services["ivy"]["depends_on"]), sorted(tulips))


class UnitsTest(unittest.TestCase):
    def test_settings(self):
        units = glob.glob(f"{DEPLOY}/systemd/*.service")
        self.assertEqual(len(units), 3)
        for unit in units:
            text = read(unit)
            command = re.match(r"bouquet-(\w+)", os.path.basename(unit)).group(1)
            with self.subTest(command):
                for line in (f"ExecStart=/usr/local/bin/bouquet {command}", "DynamicUser=yes", "ProtectSystem=strict",
                             "StateDirectory=bouquet", "KillSignal=SIGTERM", "NoNewPrivileges=yes", "CapabilityBoundingSet="):
                    self.assertRegex(text, rf"(?m)^{re.escape(line)}$")
                self.assertRegex(text, rf"(?m)^EnvironmentFile=-?/etc/bouquet/{command}\.env$")
                # what --drain-timeout grants by default, and more
                self.assertGreater(int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.M).group(1)), 30)

    def test_systemd_takes_them(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("needs systemd-analyze")
        with tempfile.TemporaryDirectory() as folder:
            for unit in glob.glob(f"{DEPLOY}/systemd/*.service"):
                # an instance instead of a template, and a binary that is there
                name = os.path.basename(unit).replace("@.", "@9090.")
                with open(f"{folder}/{name}", "w") as file:
                    file.write(read(unit).replace("/usr/local/bin/bouquet", os.path.abspath(BOUQUET)))
                verified = run("systemd-analyze", "verify", f"{folder}/{name}")
                ours = [line for line in verified.stderr.splitlines() if name in line]
                self.assertEqual((ours, verified.returncode), ([], 0), verified.stderr)


class MonitoringTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Tulip(BOUQUET, MODEL) as tulip, Ivy(BOUQUET, MODEL, [tulip.address]) as ivy:
            cls.tulip, cls.ivy = (program.get("/metrics")[2].decode() for program in (tulip, ivy))
        with Server(BOUQUET, MODEL) as server:
            cls.serve = server.get("/metrics")[2].decode()
        dashboard = json.loads(read(f"{DEPLOY}/grafana/bouquet.json"))
        cls.panels = dashboard["panels"]
        cls.dashboard = [target["expr"] for panel in cls.panels for target in panel.get("targets", [])]
        cls.dashboard += [variable["definition"] for variable in dashboard["templating"]["list"] if "definition" in variable]

    def texts(self):
        yield "bouquet.json", "\n".join(self.dashboard)
        for name in (*(f"prometheus/{name}" for name in os.listdir(f"{DEPLOY}/prometheus")), "helm/bouquet/values.yaml"):
            yield name, read(f"{DEPLOY}/{name}")

    def test_metrics_exist(self):
        exported = {who: set(re.findall(r"^(\w+)[ {]", getattr(self, who), re.M)) for who in ("tulip", "ivy", "serve")}
        for name, text in self.texts():
            found = set(re.findall(r"\bbouquet_[a-z_]+\b", text))
            self.assertTrue(found, name)
            for metric in found:
                # a word of an annotation or of a histogram as a whole has no ending
                here = {metric, f"{metric}_count"}
                self.assertTrue(here & exported["serve"], f"{name}: serve does not export {metric}")
                part = "tulip" if metric.startswith("bouquet_tulip_") else "ivy"
                self.assertTrue(here & exported[part], f"{name}: {part} does not export {metric}")

    def test_label_values_exist(self):
        checked = 0
        for name, text in self.texts():
            for metric, selector in re.findall(r"\b(bouquet_[a-z_]+)\{([^}]*)\}", text):
                for label, wanted in re.findall(r"(\w+)(?:=~|!~|!=|=) ?\"([^\"]*)\"", selector):
                    if label in ("job", "instance", "namespace", "pod", "le", "model"):
                        continue
                    series = re.findall(rf"^{metric}\{{.*?\b{label}=\"([^\"]*)\"", self.serve, re.M)
                    for value in wanted.split("|"):
                        self.assertTrue(any(re.fullmatch(value, known) for known in series),
                                        f"{name}: {metric} has no {label}={value}")
                        checked += 1
        self.assertGreater(checked, 10)

    def test_dashboard(self):
        self.assertGreater(len(self.dashboard), 20)
        ids = [panel["id"] for panel in self.panels]
        self.assertEqual(len(ids), len(set(ids)))
        places = set()
        for panel in self.panels:
            at = panel["gridPos"]
            self.assertLessEqual(at["x"] + at["w"], 24)
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & places, f"{panel['title']} lies on another")
            places |= cells
            if panel["type"] != "row":
                self.assertEqual(panel["datasource"]["uid"], "${datasource}", panel["title"])

    @needs_yaml
    def test_adapter_offers_what_the_chart_scales_by(self):
        offered = [rule["name"]["as"] for rule in yaml.safe_load(read(f"{DEPLOY}/prometheus/adapter.yaml"))["rules"]]
        self.assertEqual(offered, [yaml.safe_load(read(f"{CHART}/values.yaml"))["tulip"]["autoscaling"]["metric"]])

    @needs_yaml
    def test_alerts_have_tests(self):
        rules = [rule for group in yaml.safe_load(read(f"{DEPLOY}/prometheus/alerts.yaml"))["groups"] for rule in group["rules"]]
        fired = {case["alertname"] for test in yaml.safe_load(read(f"{DEPLOY}/prometheus/alerts_test.yaml"))["tests"]
                 for case in test["alert_rule_test"] if case.get("exp_alerts")}
        self.assertEqual(sorted(rule["alert"] for rule in rules), sorted(fired))
        for rule in rules:
            self.assertIn(rule["labels"]["severity"], ("warning", "critical"))
            self.assertEqual(sorted(rule["annotations"]), ["description", "summary"])

    def test_promtool(self):
        if not shutil.which("promtool"):
            self.skipTest("needs promtool (Debian: prometheus)")
        for kind, name in (("check", "alerts.yaml"), ("test", "alerts_test.yaml")):
            result = run("promtool", kind, "rules", f"{DEPLOY}/prometheus/{name}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            expressions = [text.replace("$__rate_interval", "5m").replace("$__range", "1h") for text in self.dashboard
                           if not text.startswith("label_values")]
            adapter = read(f"{DEPLOY}/prometheus/adapter.yaml").partition("metricsQuery: |")[2]
            expressions.append(adapter.replace("<<.LabelMatchers>>", 'pod="a"').replace("<<.GroupBy>>", "pod"))
            # JSON is YAML as well
            rules = [{"record": f"panel:{i}", "expr": text} for i, text in enumerate(expressions)]
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            result = run("promtool", "check", "rules", file.name)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


@needs_yaml
class ValuesTest(unittest.TestCase):
    def test_every_value_is_explained_and_checked(self):
        schema = json.loads(read(f"{CHART}/values.schema.json"))

        def compare(values, schema, path):
            for key, value in values.items():
                self.assertIn(key, schema["properties"], f"{path}{key} is not in the schema")
                if isinstance(value, dict) and "properties" in schema["properties"][key]:
                    compare(value, schema["properties"][key], f"{path}{key}.")
            self.assertEqual(sorted(set(schema["properties"]) - set(values) - {"global"}), [], f"{path} has no such value")
            self.assertIs(schema["additionalProperties"], False, path)

        compare(yaml.safe_load(read(f"{CHART}/values.yaml")), schema, "")

        lines = read(f"{CHART}/values.yaml").splitlines()
        free, bare = None, []  # the indentation of a block that is Kubernetes' own
        for before, line in zip([""] + lines, lines):
            key = re.match(r"( *)(\w+):(.*)", line)
            if not key or (free is not None and len(key[1]) > free):
                continue
            own = key[2] == "resources" or key[2].endswith("SecurityContext")
            free = len(key[1]) if own else None
            if (key[3] or own) and not before.lstrip().startswith("#"):
                bare.append(line)
        self.assertEqual(bare, [], "values without a comment")

    def test_chart(self):
        chart = yaml.safe_load(read(f"{CHART}/Chart.yaml"))
        version = re.search(r"project\(bouquet VERSION ([\d.]+)", read(f"{SOURCE}/CMakeLists.txt")).group(1)
        self.assertEqual(chart["appVersion"], version)


VALUE_SETS = {
    "defaults": {},
    "everything": {
        "image": {"repository": "registry.example.com/bouquet", "tag": "1", "pullSecrets": [{"name": "registry"}]},
        "model": {"source": "/models/x", "name": "n", "offline": True, "tokenSecret": "hub",
                  "volume": {"persistentVolumeClaim": {"claimName": "models", "readOnly": True}}},
        "recipe": 'default_prompt = "query"\n[prompts]\nquery = "query: "\n',
        "apiKeys": {"secret": "keys"},
        "tls": {"secret": "web", "upstreamSecret": "inner"},
        "log": {"access": False},
        "ivy": {"autoscaling": {"enabled": True}, "extraArgs": ["--max-inputs", "512"],
                "extraEnv": [{"name": "A", "value": "b"}], "extraVolumes": [{"name": "x", "emptyDir": {}}],
                "extraVolumeMounts": [{"name": "x", "mountPath": "/x"}], "podAnnotations": {"p": "q"}, "podLabels": {"l": "m"},
                "service": {"type": "LoadBalancer", "annotations": {"a": "b"}}, "priorityClassName": "high"},
        "tulip": {"autoscaling": {"enabled": True}, "gpu": {"enabled": True, "count": 2}, "isa": "avx2", "dtype": "bf16",
                  "persistence": {"enabled": True, "storageClassName": "fast"}, "podDisruptionBudget": {"maxUnavailable": "25%"},
                  "extraArgs": ["--threads", "4"], "nodeSelector": {"kind": "cpu"},
                  "tolerations": [{"key": "k", "operator": "Exists"}],
                  "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]},
        "networkPolicy": {"enabled": True},
        "serviceMonitor": {"enabled": True, "apiKeySecret": "scrape", "labels": {"release": "p"}},
        "prometheusRule": {"enabled": True, "labels": {"release": "p"}},
    },
    "openshift": {"podSecurityContext": {"runAsUser": None, "fsGroup": None}},
    "bare": {"serviceAccount": {"create": False}, "ivy": {"podDisruptionBudget": {"enabled": False}},
             "tulip": {"podDisruptionBudget": {"enabled": False}, "replicas": 1}, "fullnameOverride": "e" * 60},
}


@needs_helm
class ChartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.flags = {part: flags_of(part) for part in ("ivy", "tulip")}
        cls.rendered, cls.notes = {}, {}
        with helm_python.Chart.load(CHART) as chart:
            for name, values in VALUE_SETS.items():
                chart.validate_schema(values)
                files = chart.render(values, name="demo", namespace="search")
                cls.notes[name] = "".join(text for file, text in files.items() if file.endswith(".txt"))
                cls.rendered[name] = [part for file, text in files.items() if not file.endswith(".txt")
                                      for part in yaml.safe_load_all(text) if part]

    def each(self):
        for name, parts in self.rendered.items():
            with self.subTest(name):
                yield name, parts

    def of_kind(self, parts, *kinds):
        return [part for part in parts if part["kind"] in kinds]

    def workloads(self, parts):
        found = self.of_kind(parts, "Deployment", "StatefulSet")
        self.assertEqual(len(found), 2)
        for workload in found:
            pod = workload["spec"]["template"]["spec"]
            yield workload, pod, pod["containers"][0]

    def selected(self, parts, selector):
        return [workload for workload, _, _ in self.workloads(parts)
                if selector.items() <= workload["spec"]["template"]["metadata"]["labels"].items()]

    def test_lint(self):
        found = helm_python.lint(CHART)
        self.assertEqual([message for message in found["messages"] if message["severity"] > 1] + found["errors"], [])

    def test_kinds(self):
        kinds = {name: sorted(part["kind"] for part in parts) for name, parts in self.rendered.items()}
        self.assertEqual(kinds["defaults"], ["Deployment", "PodDisruptionBudget", "PodDisruptionBudget", "Service", "Service",
                                             "ServiceAccount", "StatefulSet"])
        self.assertEqual(set(kinds["everything"]) - set(kinds["defaults"]),
                         {"ConfigMap", "HorizontalPodAutoscaler", "NetworkPolicy", "PrometheusRule", "ServiceMonitor"})
        self.assertEqual(kinds["bare"], ["Deployment", "Service", "Service", "StatefulSet"])

    def test_names_are_unique_and_short(self):
        for _, parts in self.each():
            names = [(part["kind"], part["metadata"]["name"]) for part in parts]
            self.assertEqual(len(names), len(set(names)))
            self.assertTrue(all(len(name) <= 63 for _, name in names))

    def test_pods_are_confined(self):
        for name, parts in self.each():
            for _, pod, container in self.workloads(parts):
                self.assertIs(pod["securityContext"]["runAsNonRoot"], True)
                self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
                self.assertEqual("runAsUser" in pod["securityContext"], name != "openshift")
                self.assertIs(pod["automountServiceAccountToken"], False)
                # BOUQUET_PORT of a Service named bouquet would be taken for --port
                self.assertIs(pod["enableServiceLinks"], False)
                self.assertEqual(container["securityContext"], {
                    "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
                writable = {mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")}
                self.assertEqual(writable - {"/x"}, {"/data", "/tmp"})

    def test_flags_exist_and_are_given_once(self):
        for _, parts in self.each():
            for _, _, container in self.workloads(parts):
                command, *args = container["args"]
                self.assertEqual(command, container["name"])
                given = [arg for arg in args if arg.startswith("--")]
                self.assertEqual(sorted(set(given) - self.flags[command]), [])
                self.assertEqual(len(given), len(set(given)))
                self.assertTrue(all(isinstance(arg, str) for arg in args))

    def test_volumes(self):
        for _, parts in self.each():
            for workload, pod, container in self.workloads(parts):
                claims = [claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])]
                volumes = [volume["name"] for volume in pod["volumes"]] + claims
                mounts = [mount["name"] for mount in container["volumeMounts"]]
                self.assertEqual(sorted(volumes), sorted(mounts))
                self.assertEqual(len(volumes), len(set(volumes)))
                roots = {mount["mountPath"] for mount in container["volumeMounts"]}
                for arg in container["args"]:
                    if arg.startswith("/etc/"):
                        self.assertIn(os.path.dirname(arg), roots)

    def test_ports_and_probes(self):
        for name, parts in self.each():
            for _, pod, container in self.workloads(parts):
                ports = {port["name"]: port["containerPort"] for port in container["ports"]}
                args = dict(zip(container["args"], container["args"][1:]))
                if container["name"] == "ivy":
                    self.assertEqual(str(ports["http"]), args["--port"])
                    self.assertEqual(args["--host"], "0.0.0.0")
                    grace = int(container["lifecycle"]["preStop"]["exec"]["command"][1]) + float(args["--drain-timeout"])
                    self.assertGreater(pod["terminationGracePeriodSeconds"], grace)
                else:
                    self.assertEqual(args["--listen"], f"0.0.0.0:{ports['grpc']}")
                    self.assertEqual(args["--metrics-listen"], f"0.0.0.0:{ports['metrics']}")
                    self.assertGreater(pod["terminationGracePeriodSeconds"], 60)
                for probe, path in (("startup", "/ready"), ("readiness", "/ready"), ("liveness", "/health")):
                    get = container[f"{probe}Probe"]["httpGet"]
                    self.assertEqual(get["path"], path)
                    self.assertIn(get["port"], ports)
                    https = name == "everything" and container["name"] == "ivy"
                    self.assertEqual(get.get("scheme", "HTTP"), "HTTPS" if https else "HTTP")
                startup = container["startupProbe"]
                self.assertEqual(startup["periodSeconds"] * startup["failureThreshold"], 1800)

    def test_services_reach_pods(self):
        for _, parts in self.each():
            services = {part["metadata"]["name"]: part for part in self.of_kind(parts, "Service")}
            for service in services.values():
                workload, = self.selected(parts, service["spec"]["selector"])
                container = workload["spec"]["template"]["spec"]["containers"][0]
                ports = {port["name"]: port["containerPort"] for port in container["ports"]}
                for port in service["spec"]["ports"]:
                    self.assertIn(port["targetPort"], ports)
            for workload, _, container in self.workloads(parts):
                if workload["kind"] == "StatefulSet":
                    headless = services[workload["spec"]["serviceName"]]
                    self.assertEqual(headless["spec"]["clusterIP"], "None")
                else:
                    args = dict(zip(container["args"], container["args"][1:]))
                    name, port = re.fullmatch(r"dns:([a-z0-9-]+)\.search\.svc:(\d+)", args["--upstream"]).groups()
                    self.assertIn(int(port), [each["port"] for each in services[name]["spec"]["ports"]])
                    self.assertEqual(services[name]["spec"]["clusterIP"], "None")

    def test_what_refers_to_pods(self):
        for _, parts in self.each():
            names = {(part["kind"], part["metadata"]["name"]) for part in parts}
            for part in self.of_kind(parts, "PodDisruptionBudget"):
                self.assertEqual(len(self.selected(parts, part["spec"]["selector"]["matchLabels"])), 1)
            for part in self.of_kind(parts, "HorizontalPodAutoscaler"):
                target = part["spec"]["scaleTargetRef"]
                self.assertIn((target["kind"], target["name"]), names)
            autoscaled = {part["spec"]["scaleTargetRef"]["name"] for part in self.of_kind(parts, "HorizontalPodAutoscaler")}
            for workload, _, _ in self.workloads(parts):
                self.assertEqual("replicas" in workload["spec"], workload["metadata"]["name"] not in autoscaled)
                self.assertEqual(self.selected(parts, workload["spec"]["selector"]["matchLabels"]), [workload])
            for part in self.of_kind(parts, "NetworkPolicy"):
                tulip, = self.selected(parts, part["spec"]["podSelector"]["matchLabels"])
                source = part["spec"]["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
                ivy, = self.selected(parts, source)
                self.assertEqual((tulip["kind"], ivy["kind"]), ("StatefulSet", "Deployment"))
            for part in self.of_kind(parts, "ServiceMonitor"):
                wanted = part["spec"]["selector"]["matchLabels"].items()
                service, = [one for one in self.of_kind(parts, "Service") if wanted <= one["metadata"]["labels"].items()]
                self.assertIn(part["spec"]["endpoints"][0]["port"], [port["name"] for port in service["spec"]["ports"]])

    def test_resources(self):
        for name, parts in self.each():
            for workload, _, container in self.workloads(parts):
                requests, limits = container["resources"]["requests"], container["resources"]["limits"]
                self.assertIn("memory", limits)
                if workload["kind"] == "StatefulSet":
                    self.assertEqual(requests, limits)
                    self.assertEqual(limits.get("nvidia.com/gpu"), "2" if name == "everything" else None)
                else:
                    self.assertIn("cpu", requests)
                    self.assertNotIn("nvidia.com/gpu", limits)

    def test_recipe_and_rules(self):
        parts = self.rendered["everything"]
        recipe, = self.of_kind(parts, "ConfigMap")
        self.assertEqual(recipe["data"]["recipe.toml"].strip(), VALUE_SETS["everything"]["recipe"].strip())
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(recipe["data"]["recipe.toml"])
            file.flush()
            with Server(BOUQUET, MODEL, "--recipe", file.name):
                pass
        rules, = self.of_kind(parts, "PrometheusRule")
        self.assertEqual(rules["spec"], yaml.safe_load(read(f"{DEPLOY}/prometheus/alerts.yaml")))

    def test_a_new_recipe_restarts_gateways_alone(self):
        with helm_python.Chart.load(CHART) as chart:
            def pods(recipe):
                files = chart.render({"recipe": recipe}, name="demo", namespace="search")
                parts = [part for file, text in files.items() if not file.endswith(".txt")
                         for part in yaml.safe_load_all(text) if part]
                return {workload["kind"]: workload["spec"]["template"] for workload, _, _ in self.workloads(parts)}
            one, two = pods("truncate = true"), pods("truncate = false")
        self.assertNotEqual(one["Deployment"], two["Deployment"])
        self.assertEqual(one["StatefulSet"], two["StatefulSet"])

    def test_wrong_values_are_refused(self):
        wrong = [{"tulip": {"isa": "sse"}}, {"ivy": {"replica": 3}}, {"nope": 1}, {"tulip": {"replicas": "two"}},
                 {"model": {"source": ""}}, {"tulip": {"podDisruptionBudget": {"maxUnavailable": "half"}}}]
        with helm_python.Chart.load(CHART) as chart:
            for values in wrong:
                with self.subTest(values), self.assertRaises(helm_python.HelmError):
                    chart.validate_schema(values)

    def test_notes(self):
        self.assertIn("http://localhost:8080/v1/embeddings", self.notes["defaults"])
        self.assertIn("https://localhost:8080/v1/embeddings", self.notes["everything"])
        for notes in self.notes.values():
            self.assertNotIn("<no value>", notes)

    @unittest.skipUnless(kubernetes_validate, "needs the Python package kubernetes-validate: make test-deploy")
    def test_kubernetes_schemas(self):
        for _, parts in self.each():
            for part in parts:
                if not part["apiVersion"].startswith("monitoring.coreos.com/"):
                    for version in ("1.25", "1.31"):
                        kubernetes_validate.validate(part, version, strict=True)


class TextsTest(unittest.TestCase):
    def test_yaml_and_json_parse(self):
        for folder, _, names in os.walk(DEPLOY):
            for name in names:
                path = f"{folder}/{name}"
                if name.endswith(".json"):
                    json.loads(read(path))
                elif yaml and name.endswith(".yaml") and "/templates" not in folder:
                    self.assertTrue(list(yaml.safe_load_all(read(path))), path)

    def test_links(self):
        links = [link for link in re.findall(r"\]\(([^)#]+)", read(f"{DEPLOY}/README.md")) if "://" not in link]
        self.assertGreater(len(links), 5)
        for link in links:
            target = os.path.normpath(f"{DEPLOY}/{link}")
            self.assertTrue(os.path.exists(target), link)

    def test_links_stay_inside(self):
        for folder, folders, names in os.walk(DEPLOY):
            for name in folders + names:
                self.assertTrue(os.path.realpath(f"{folder}/{name}").startswith(os.path.realpath(SOURCE) + os.sep), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
