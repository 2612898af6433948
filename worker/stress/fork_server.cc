// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/fork_server.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::worker {
namespace {

// Orders and answers travel as raw structs over a SOCK_SEQPACKET pair: one message each, between
// two processes of the same binary.
struct Order {
  enum Kind : char { start, go, signal, hold, lay };
  Kind kind;
  std::int64_t discipline = 0, number = 0, value = 0;  // value: life, instant, signal
};
struct Answer {
  enum Kind : char { done, ended };
  Kind kind;
  int status = 0;
};

constexpr int kRetirement = 70;
// Every request except the contender's own work is quick.
// Pages of the child are copied lazily, so even a fork of a large supervisor is done within this.
constexpr Clock::duration kPatience = std::chrono::seconds(60);

// In a child: makes it end with its parent in every case.
void follow(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Closes a race: a parent that died before prctl() would never send the signal.
  if (::getppid() != parent) ::_exit(kRetirement);
}

// The child's whole life.
// Work ends in _exit(), never in return: destructors, atexit handlers and MPI of the parent must
// not run in the child.
template <class Work>
pid_t fork_for(const Work& work) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw file_error("start", "a process", errno);
  if (child > 0) return child;
  int code = 0;
  try {
    follow(parent);
    work();
  } catch (const Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
    code = kRetirement;
  } catch (const std::exception& error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    code = kRetirement;
  }
  ::_exit(code);
}

// Two ends of a pipe; the destructor closes what is still open.
struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw file_error("make", "a pipe", errno);
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void shut(std::size_t which) { ::close(std::exchange(ends[which], -1)); }
  std::array<int, 2> ends{-1, -1};
};

template <class Value>
void tell(int descriptor, const Value& value) {
  if (::write(descriptor, &value, sizeof(value)) != static_cast<ssize_t>(sizeof(value)))
    throw file_error("write to", "a pipe", errno);
}

// Ends this process where the other end is gone.
template <class Value>
Value hear(int descriptor) {
  Value value;
  // A pipe or socket whose other end is closed reads 0 bytes.
  if (::read(descriptor, &value, sizeof(value)) != static_cast<ssize_t>(sizeof(value)))
    ::_exit(kRetirement);
  return value;
}

// ---- in the fork server
// -----------------------------------------------------------------------------

class ForkServerProcess {
 public:
  ForkServerProcess(int socket, const ChildHooks& child_hooks)
      : socket_(socket), child_hooks_(child_hooks) {
    // SIGCHLD is blocked and read from a descriptor, so one poll() waits for orders and ends of
    // children without a handler.
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, nullptr);
    signals_ = ::signalfd(-1, &child, SFD_CLOEXEC);
    if (signals_ < 0) throw file_error("create", "a signal descriptor", errno);
  }

  // Until the supervisor is gone.
  void serve() {
    for (;;) {
      std::array<pollfd, 2> both{pollfd{socket_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
      // EINTR, for example by SIGCONT: poll again.
      if (::poll(both.data(), both.size(), -1) < 0) continue;
      // Ends first: an order that follows (start) may rely on the last contender being gone.
      if (both[1].revents != 0) reap();
      if (both[0].revents == 0) continue;
      Order order;
      if (::recv(socket_, &order, sizeof(order), 0) != static_cast<ssize_t>(sizeof(order))) return;
      if (obey(order)) answer(Answer{Answer::done});
    }
  }

 private:
  // True: the supervisor waits for an answer.
  bool obey(const Order& order) {
    switch (order.kind) {
      case Order::start:
        start(order.discipline, order.number, order.value);
        return true;
      case Order::go:
        // The contender may have ended already; then the pipe has no reader and the order means
        // nothing.
        if (contender_ > 0) tell(start_->ends[1], order.value);
        return false;
      case Order::signal:
        if (contender_ > 0) ::kill(contender_, static_cast<int>(order.value));
        return false;
      case Order::hold:
        hold(order.discipline, order.number);
        return true;
      case Order::lay:
        lay(order.discipline, order.number);
        return true;
    }
    return false;
  }

  void start(std::int64_t discipline, std::int64_t number, std::int64_t life) {
    // The pipe must exist before the fork: both processes need its ends.
    start_.emplace();
    contender_ = fork_for([&] {
      start_->shut(1);
      // The contender waits here for go(), and ends itself if the fork server dies first.
      child_hooks_.contend(discipline, number, life, [&] {
        return Clock::time_point(Clock::duration(hear<std::int64_t>(start_->ends[0])));
      });
    });
    start_->shut(0);
  }

  void hold(std::int64_t discipline, std::int64_t number) {
    // Reading waits until the child holds the locks, so the supervisor may start contenders at
    // once.
    Pipe held;
    fork_for(
        [&] { child_hooks_.hold_locks(discipline, number, [&] { tell(held.ends[1], '+'); }); });
    // Otherwise this process would hold the writing end too, and read() would wait for ever where
    // the child fails.
    held.shut(1);
    char ready = 0;  // no byte arrives if the locks could not be acquired
    if (::read(held.ends[0], &ready, sizeof(ready)) < 0) throw file_error("read", "a pipe", errno);
  }

  void lay(std::int64_t discipline, std::int64_t number) {
    // The pid of a process that has just ended, so it is unlikely to be in use again.
    const pid_t dead = fork_for([] {});
    ::waitpid(dead, nullptr, 0);
    child_hooks_.lay_stale_locks(discipline, number, dead);
  }

  void reap() {
    signalfd_siginfo info;
    if (::read(signals_, &info, sizeof(info)) < 0) return;
    int status = 0;
    for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0;
         pid = ::waitpid(-1, &status, WNOHANG)) {
      // Holders of locks and the dead process of lay() end unnoticed; only the contender's end is
      // reported.
      if (pid != contender_) continue;
      contender_ = -1;
      answer(Answer{Answer::ended, status});
    }
  }

  void answer(const Answer& answer) {
    // The supervisor is gone, so nobody needs this process.
    if (::send(socket_, &answer, sizeof(answer), MSG_NOSIGNAL) < 0) ::_exit(kRetirement);
  }

  int socket_;
  const ChildHooks& child_hooks_;
  int signals_ = -1;
  pid_t contender_ = -1;
  std::optional<Pipe> start_;  // of the contender; its end with the number 1 is ours
};

// ---- in the supervisor --------------------------------------------------------------------------

void send(int socket, const Order& order) {
  if (::send(socket, &order, sizeof(order), MSG_NOSIGNAL) < 0)
    throw file_error("order", "a contender", errno);
}

std::optional<Answer> receive(int socket, Clock::duration wait_limit) {
  pollfd one{socket, POLLIN, 0};
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(wait_limit).count();
  if (::poll(&one, 1, static_cast<int>(wait)) <= 0) return std::nullopt;
  Answer answer{};
  if (::recv(socket, &answer, sizeof(answer), 0) != static_cast<ssize_t>(sizeof(answer)))
    throw Error(ErrorKind::system, "the fork server has exited");
  return answer;
}

}  // namespace

ForkServer::ForkServer(const ChildHooks& child_hooks) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw file_error("make", "a socket", errno);
  pid_ = fork_for([&] {
    // Each side closes the other's end, so that the death of either is seen as end of file.
    ::close(ends[0]);
    ForkServerProcess(ends[1], child_hooks).serve();
  });
  ::close(ends[1]);
  socket_ = ends[0];
}

ForkServer::~ForkServer() {
  ::kill(pid_, SIGKILL);  // its children end with it
  ::waitpid(pid_, nullptr, 0);
  ::close(socket_);
}

void ForkServer::start(std::int64_t discipline, std::int64_t number, std::int64_t life) {
  send(socket_, {Order::start, discipline, number, life});
  await_done();
  // A status that await_done() kept belongs to the contender before this one.
  status_.reset();  // of the previous contender, whose work was done
}

void ForkServer::go(Clock::time_point when) {
  send(socket_, {Order::go, 0, 0, when.time_since_epoch().count()});
}

void ForkServer::signal(int number) { send(socket_, {Order::signal, 0, 0, number}); }

std::optional<int> ForkServer::ended(Clock::duration wait_limit) {
  // The end may have been reported while await_done() waited for another answer.
  if (status_) return std::exchange(status_, std::nullopt);
  const std::optional<Answer> answer = receive(socket_, wait_limit);
  if (!answer) return std::nullopt;
  UNDERSTUDY_ASSERT(answer->kind == Answer::ended);
  return answer->status;
}

void ForkServer::hold_locks(std::int64_t discipline, std::int64_t number) {
  send(socket_, {Order::hold, discipline, number});
  await_done();
}

void ForkServer::lay_stale_locks(std::int64_t discipline, std::int64_t number) {
  send(socket_, {Order::lay, discipline, number});
  await_done();
}

void ForkServer::await_done() {
  const Deadline deadline = Deadline::after(kPatience);
  while (!deadline.passed()) {
    const std::optional<Answer> answer = receive(socket_, deadline.left());
    if (answer && answer->kind == Answer::done) return;
    // Not the answer waited for: the contender ended meanwhile. ended() returns it later.
    if (answer) status_ = answer->status;
  }
  throw Error(ErrorKind::timeout, "the fork server did not answer in time");
}

}  // namespace understudy::worker
