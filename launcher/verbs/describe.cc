// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <string>

#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/mesh_layout.h"
#include "configs/launch/topology.h"
#include "configs/report/command_documents.h"
#include "launcher/options/slice_options.h"
#include "launcher/process/console.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Needs neither MPI nor a program, so it also works where only the launcher is installed.
class Describe final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("SLICE", slice_.request.slice,
                   "slice name, such as v6e-16; 2xv6e-8 means two of them, joined by DCN")
        ->type_name("");
    declare_shape(app, slice_);
    app.add_option("--mesh", mesh_, "show where the axes of this mesh lie (data=4,model=2)")
        ->type_name("AXES");
    app.add_option("--device-order", order_, "rank of each process of the mesh (3,1,0,2)")
        ->type_name("RANKS")
        ->needs("--mesh");
    app.add_flag("--list", list_, "list the names of all slices and exit");
    app.add_flag("--json", json_, "print JSON (understudy/slice/1, of --list understudy/slices/1)");
  }

  int run(const Console& console, const Environment&) override {
    // --list needs no slice, so it comes before the check for one.
    if (list_) {
      if (json_) {
        console.document(to_json(configs::SliceNames{configs::slice_names()}));
        return 0;
      }
      for (const std::string& name : configs::slice_names()) console.result(name);
      return 0;
    }
    if (slice_.request.slice.empty() && slice_.request.chip.empty()) {
      Error error(ErrorKind::usage, "describe requires a slice name, such as v6e-16");
      throw error.note("understudy describe --list lists them");
    }
    const configs::Slice slice = configs::make_joined(request_of(slice_));
    if (slice.slices > 1 && !mesh_.empty()) {
      Error error(ErrorKind::unsupported,
                  "describe --mesh shows ICI axes, and none leads from one slice to another");
      throw error.note("describe " + slice.name + " --mesh shows a mesh inside of a slice");
    }
    std::vector<configs::MeshAxisPlace> mesh;
    if (!mesh_.empty())
      mesh = configs::mesh_in_slice(configs::parse_mesh(mesh_), slice,
                                    configs::parse_device_order(order_, "--device-order"));
    std::string text =
        json_ ? configs::describe_json(slice, mesh) : configs::describe_text(slice, mesh);
    while (text.ends_with('\n')) text.pop_back();
    console.result(text);
    return 0;
  }

 private:
  SliceOptions slice_;
  std::string mesh_, order_;
  bool list_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_describe() { return std::make_unique<Describe>(); }

}  // namespace understudy::launcher
