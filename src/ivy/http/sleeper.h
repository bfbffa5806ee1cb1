// What a connection's coroutine sleeps on: news resumes it in place, in the call that brings them, without another turn
// of the event loop; else its deadline does. The timer is left running when news come first and is set anew only where
// a deadline lies before it, so a busy connection hardly ever touches it.
//
// Everything here runs on the strand of its timer.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace bouquet::ivy::http {

template <class Timer>
class Sleeper {
 public:
  using Clock = typename Timer::clock_type;
  using TimePoint = typename Clock::time_point;
  using Keep = std::shared_ptr<void>;  // whoever owns this sleeper: kept alive by a running timer

  explicit Sleeper(const typename Timer::executor_type& strand) : timer_(strand) {}

  // Resumed with true by wake(), with false at the deadline. One coroutine at a time.
  boost::asio::awaitable<bool> until(TimePoint deadline, Keep keep) {
    Sleep* sleep = arm(deadline, std::move(keep)).get();  // not shared: the coroutine would keep itself
    sleep->deadline = deadline;
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(bool)>(
        [sleep](auto handler) {
          const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
          sleep->resume = [shared](bool news) { std::invoke(std::move(*shared), news); };
        },
        boost::asio::use_awaitable);
  }

  // Nothing happens when nobody sleeps.
  void wake() {
    if (const auto sleep = sleep_.lock()) sleep->end(true);
  }

  // Wakes, and lets the owner go: no timer keeps it any longer.
  void stop() {
    const auto sleep = sleep_.lock();
    running_ = false;
    timer_.cancel();
    if (sleep) sleep->end(true);
  }

 private:
  // Held by the timer's handler alone: when the event loop is taken down, it goes, and the coroutine with it.
  struct Sleep {
    TimePoint deadline;
    std::function<void(bool)> resume;  // empty: nobody sleeps
    void end(bool news) {
      if (resume) std::exchange(resume, nullptr)(news);
    }
  };

  // Sees to it that the timer runs out no later than `deadline`.
  std::shared_ptr<Sleep> arm(TimePoint deadline, Keep keep) {
    std::shared_ptr<Sleep> sleep = sleep_.lock();
    if (!sleep) sleep_ = sleep = std::make_shared<Sleep>();
    if (running_ && timer_.expiry() <= deadline) return sleep;
    running_ = true;
    timer_.expires_at(deadline);
    timer_.async_wait([this, sleep, keep = std::move(keep)](boost::system::error_code error) mutable {
      if (error) return;  // set anew, or stopped
      running_ = false;
      if (sleep->resume) ran_out(sleep, std::move(keep));
    });
    return sleep;
  }

  // For the deadline at hand, or for an earlier one that news have overtaken.
  void ran_out(const std::shared_ptr<Sleep>& sleep, Keep keep) {
    if (Clock::now() >= sleep->deadline) return sleep->end(false);
    arm(sleep->deadline, std::move(keep));
  }

  Timer timer_;
  bool running_ = false;
  std::weak_ptr<Sleep> sleep_;
};

}  // namespace bouquet::ivy::http
