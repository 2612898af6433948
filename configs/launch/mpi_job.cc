// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/mpi_job.h"

#include <fmt/format.h>
#include <string_view>

#include "configs/json/writer.h"

namespace understudy::configs {
namespace {

// A small layer over JsonWriter, so that the nesting of the code follows that of the document.
class Writer {
 public:
  template <class Members>
  void object(std::string_view name, const Members& members) {
    if (!name.empty()) out_.key(name);
    out_.begin_object();
    members();
    out_.end_object();
  }
  // A list of one object.
  template <class Members>
  void list(std::string_view name, const Members& members) {
    out_.key(name);
    out_.begin_array();
    object("", members);
    out_.end_array();
  }
  void variables(std::string_view name,
                 const std::vector<std::pair<std::string, std::string>>& variables) {
    out_.key(name);
    out_.begin_array();
    for (const auto& [variable, value] : variables) {
      out_.begin_object();
      text("name", variable);
      text("value", value);
      out_.end_object();
    }
    out_.end_array();
  }
  void text(std::string_view name, std::string_view value) {
    out_.key(name);
    out_.text(value);
  }
  void number(std::string_view name, std::int64_t value) {
    out_.key(name);
    out_.integer(value);
  }
  void flag(std::string_view name, bool value) {
    out_.key(name);
    out_.boolean(value);
  }
  void words(std::string_view name, const std::vector<std::string>& words) {
    out_.key(name);
    out_.begin_array(true);
    for (const std::string& word : words) out_.text(word);
    out_.end_array();
  }
  std::string take() { return out_.take(); }

 private:
  JsonWriter out_{JsonWriter::Layout::readable};
};

// One kind of pod. Without a command a pod runs the operator's sshd.
void replicas(Writer& out, std::string_view kind, const MpiJob& job, std::int64_t count,
              const std::vector<std::string>& command) {
  const std::string memory = fmt::format("{}", job.memory_bytes);
  out.object(kind, [&] {
    out.number("replicas", count);
    out.object("template", [&] {
      out.object("spec", [&] {
        out.list("containers", [&] {
          out.text("name", "understudy");
          out.text("image", job.image);
          if (!command.empty()) out.words("command", command);
          if (!job.environment.empty()) out.variables("env", job.environment);
          out.object("resources", [&] {
            out.object("limits", [&] {
              out.text("cpu", fmt::format("{}", job.ranks_per_host));
              out.text("memory", memory);
            });
          });
          out.list("volumeMounts", [&] {
            out.text("name", "shm");
            out.text("mountPath", "/dev/shm");
          });
        });
        // The HBM of a host's chips is emulated in /dev/shm, which is only 64 MiB by default.
        out.list("volumes", [&] {
          out.text("name", "shm");
          out.object("emptyDir", [&] {
            out.text("medium", "Memory");
            out.text("sizeLimit", memory);
          });
        });
      });
    });
  });
}

}  // namespace

std::string to_json(const MpiJob& job) {
  Writer out;
  out.object("", [&] {
    out.text("apiVersion", "kubeflow.org/v2beta1");
    out.text("kind", "MPIJob");
    out.object("metadata", [&] { out.text("name", job.name); });
    out.object("spec", [&] {
      out.number("slotsPerWorker", job.ranks_per_host);
      // The launcher's pod has chips as well, so a job of n hosts needs n pods and not n + 1.
      out.flag("runLauncherAsWorker", true);
      out.text("mpiImplementation", "OpenMPI");
      out.object("runPolicy", [&] {
        out.text("cleanPodPolicy", "Running");
        out.number("activeDeadlineSeconds", job.time_limit_seconds);
        out.number("backoffLimit", 0);  // a failed rehearsal is a result
      });
      out.object("mpiReplicaSpecs", [&] {
        replicas(out, "Launcher", job, 1, job.command);
        if (job.hosts > 1) replicas(out, "Worker", job, job.hosts - 1, {});
      });
    });
  });
  return out.take();
}

}  // namespace understudy::configs
