# SPDX-License-Identifier: Apache-2.0
# asmjit, with which workers make machine code at run time (docs/decisions/0023). Optional: without
# it, and on other processors than x86-64, the same work runs as bound code, with the same bits.
# Sets UNDERSTUDY_MACHINE_CODE and, where it is ON, defines the target asmjit::asmjit.
set(UNDERSTUDY_MACHINE_CODE OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  find_package(asmjit CONFIG QUIET)
  if(NOT TARGET asmjit::asmjit)
    find_path(ASMJIT_INCLUDE asmjit/x86.h)
    find_library(ASMJIT_LIBRARY asmjit)
    if(ASMJIT_INCLUDE AND ASMJIT_LIBRARY)
      add_library(asmjit::asmjit INTERFACE IMPORTED)
      set_target_properties(asmjit::asmjit PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${ASMJIT_INCLUDE} INTERFACE_LINK_LIBRARIES ${ASMJIT_LIBRARY})
    endif()
  endif()
  if(TARGET asmjit::asmjit)
    set(UNDERSTUDY_MACHINE_CODE ON)
  endif()
endif()
if(UNDERSTUDY_MACHINE_CODE)
  message(STATUS "Machine code at run time: ON (asmjit)")
else()
  message(STATUS "Machine code at run time: OFF (needs x86-64 and the Debian package libasmjit-dev)")
endif()
