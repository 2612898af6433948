// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/mpirun_command.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "configs/launch/inputs.h"
#include "launcher/pod/process_log.h"

namespace understudy::launcher {
namespace {

class Words {
 public:
  // `of_user`: words that follow. *Requires*: they outlive this object.
  Words(std::string first, const std::vector<std::string>& of_user)
      : words_{std::move(first)}, of_user_(of_user) {}
  void add(std::initializer_list<std::string> words) { words_.insert(words_.end(), words); }
  // mpirun refuses a parameter that is given twice: the user's value is used.
  void mca(const std::string& key, const std::string& value) {
    if (std::ranges::find(of_user_, key) == of_user_.end()) add({"--mca", key, value});
  }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
  const std::vector<std::string>& of_user_;
};

// Messages up to this size are sent eagerly. A longer one needs a handshake with its receiver, but
// only a complete message rings the doorbell that wakes a sleeping receiver.
constexpr int kEagerBytes = 32768;

void add_messaging(Words& words, const MpirunFacts& facts, bool remote) {
  // Named explicitly: with UCX or a fabric library installed, Open MPI would choose another
  // messaging layer, whose progress and doorbell behaviour is different.
  words.mca("pml", "ob1");
  words.mca("btl", remote ? "self,vader,tcp" : "self,vader");
  // Single-copy mechanisms (CMA) need ptrace rights, which containers deny.
  words.mca("btl_vader_single_copy_mechanism", "none");
  // Each process that starts also probes the components posix and sysv with a segment of its own:
  // a process that is killed in between leaves /dev/shm/open_mpi.0000 or a System V segment.
  words.mca("shmem", "mmap");
  // Open MPI's handlers for SIGABRT, SIGBUS, SIGFPE and SIGSEGV print a stack and return, so a
  // signal that another process sent would have no effect.
  words.mca("opal_signal", "");
  words.mca("btl_vader_eager_limit", std::to_string(kEagerBytes));
  words.mca("btl_vader_max_send_size", std::to_string(kEagerBytes));
  words.mca("btl_vader_backing_directory", facts.backing_directory);
}

// Open MPI loads every component of a framework to ask whether it can be used: 0.1 ms of processor
// time each, in mpirun and in every worker. Of collectives workers need those of libnbc, which are
// nonblocking (collectives.algorithm mpi), and what every communicator has to have.
constexpr std::pair<const char*, const char*> kComponents[] = {
    {"coll", "basic,libnbc,self"},
    {"op", "^avx"},
    {"osc", "sm"},
};
// On one machine outside of a batch system: no daemons, tools or processes of a batch system, and
// no network whose memory would have to be registered.
constexpr std::pair<const char*, const char*> kLocalComponents[] = {
    {"ess", "^env,singleton,slurm,tool"},
    {"state", "^novm,orted,tool"},
    {"errmgr", "^default_orted,default_tool"},
    {"schizo", "^flux,jsm,slurm"},
    {"pmix", "^flux"},
    {"ras", "^gridengine,simulator,slurm"},
    {"reachable", "weighted"},
    {"mpool", "^hugepage"},
    {"rcache", "^grdma"},
};

void add_components(Words& words, bool remote) {
  for (const auto& [framework, names] : kComponents) words.mca(framework, names);
  if (remote) return;
  for (const auto& [framework, names] : kLocalComponents) words.mca(framework, names);
}

// By default Open MPI uses every network of the machine. Options of the user take precedence.
void add_networks(Words& words, const MpirunFacts& facts) {
  if (facts.networks.empty()) return;
  for (const char* key : {"oob_tcp_if_include", "btl_tcp_if_include"}) {
    const std::string_view layer =
        std::string_view(key).substr(0, std::string_view("oob_tcp_if_").size());
    if (std::ranges::any_of(facts.mpi_words, [&](const std::string& word) {
          return word.find(layer) != std::string::npos;
        }))
      continue;
    words.mca(key, fmt::format("{}", fmt::join(facts.networks, ",")));
  }
}

bool is_plain(char letter) {
  // Characters that no POSIX shell interprets inside a word.
  constexpr std::string_view kPlain = "-_./,:=+@%";
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || kPlain.find(letter) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> mpirun_command(const MpirunFacts& facts) {
  const bool remote = !facts.hostfile.empty() || facts.in_batch_job;
  Words words(facts.mpirun, facts.mpi_words);
  // mpirun refuses to run as root without this option; containers usually run as root.
  if (facts.as_root) words.add({"--allow-run-as-root"});
  // As mpirun is called by its path, it would add its folders of libraries to LD_LIBRARY_PATH, and
  // every worker would search them first. Those of the system are found anyway.
  if (!remote && facts.mpirun == "/usr/bin/mpirun") words.add({"--noprefix"});
  // Many ranks share few cores: allow more ranks than cores, and do not bind them.
  words.add({"-np", std::to_string(facts.ranks), "--oversubscribe", "--bind-to", "none", "--stdin",
             "none", "-x",
             facts.launch_inputs.empty()
                 ? std::string("OMP_NUM_THREADS=1")  // otherwise the worker sets it itself
                 : fmt::format("{}={}", configs::kLaunchVariable, facts.launch_inputs)});
  for (const std::string& name : facts.forwarded) words.add({"-x", name});
  if (!facts.hostfile.empty()) words.add({"--hostfile", facts.hostfile});
  if (!remote) words.mca("plm", "isolated");  // needs no ssh on this machine
  // Keeps the session folder inside the run folder, so that it is removed with it.
  words.mca("orte_tmpdir_base", facts.run_folder);
  add_messaging(words, facts, remote);
  add_components(words, remote);
  add_networks(words, facts);
  // Instead of ours, where they name the same parameters.
  for (const std::string& word : facts.mpi_words) words.add({word});
  if (!facts.starter.empty()) words.add({facts.starter});
  words.add({facts.worker});
  for (const std::string& word : facts.worker_words) words.add({word});
  return words.take();
}

// Set only for mpirun. Values of the shell are kept and extended.
std::vector<std::string> mpirun_variables(const MpirunFacts& facts) {
  // hwloc's GL component probes ten X displays by the name "localhost". If that name does not
  // resolve locally, mpirun waits 90 s for name servers that do not answer.
  const std::string& hwloc = facts.shell_hwloc;
  std::vector<std::string> variables = {
      fmt::format("HWLOC_COMPONENTS={}{}-gl,-linuxio", hwloc, hwloc.empty() ? "" : ",")};
  // mpirun and every rank would load its plugins, with the libraries of X11, OpenCL and PCI behind
  // them, to list devices that nobody asks for: 5 ms of processor time each. /dev/null has no
  // plugins.
  if (!facts.shell_has_hwloc_plugins) variables.push_back("HWLOC_PLUGINS_PATH=/dev/null");
  if (facts.listen_library.empty()) return variables;
  const std::string& preload = facts.shell_preload;
  variables.push_back(
      fmt::format("LD_PRELOAD={}{}{}", facts.listen_library, preload.empty() ? "" : ":", preload));
  if (!facts.listen_address.empty())
    variables.push_back("UNDERSTUDY_LISTEN=" + facts.listen_address);
  variables.push_back("UNDERSTUDY_PROCESS_LOG=" + process_log_in(facts.run_folder));
  return variables;
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word)
      // A single quote cannot be escaped inside single quotes: end them, add an escaped quote,
      // begin again.
      line += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    line += '\'';
  }
  return line;
}

}  // namespace understudy::launcher
