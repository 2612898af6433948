// SPDX-License-Identifier: Apache-2.0
// Proves before a run that its output files can be written, so that a mistyped path costs seconds
// and not the run. Creates missing folders, as the run would.
#pragma once

#include <string>
#include <string_view>

namespace understudy::launcher {

// A folder that results are written into. Empty: nothing to prove. *Throws* Error{system} with the
// name of the option.
void probe_folder(std::string_view option, const std::string& folder);
// A file. *Throws* Error{usage} if it is a folder, else as above.
void probe_file(std::string_view option, const std::string& path);

}  // namespace understudy::launcher
