// SPDX-License-Identifier: Apache-2.0
// The linear algebra library: OpenBLAS in Debian's serial variant, which has BLAS and LAPACK and
// starts no threads, so that results do not depend on the number of cores. It is loaded by its own
// path at the first use, not linked: the alternatives system may choose a variant with threads, and
// a worker that needs no linear algebra does not pay for it (docs/decisions). Thread-safe.
#pragma once

#include <string>

namespace understudy::worker::lapack {

// The address of a routine, "spotrf_". *Throws* Error{system} where the library or the routine is
// missing, with the package to install.
void* symbol(const std::string& name);

}  // namespace understudy::worker::lapack
