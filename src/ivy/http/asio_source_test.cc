// The separately compiled bodies link, and a timer runs.
#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_BEAST_SEPARATE_COMPILATION
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

TEST(AsioSource, RunsATimer) {
  boost::asio::io_context io;
  boost::asio::steady_timer timer(io, std::chrono::milliseconds(1));
  bool fired = false;
  timer.async_wait([&](const boost::system::error_code& error) { fired = !error; });
  io.run();
  EXPECT_TRUE(fired);
}

}  // namespace
}  // namespace bouquet::ivy::http
