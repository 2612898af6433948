# SPDX-License-Identifier: Apache-2.0
# cmake -DROOT=... -DROOMS="program;cache" -DOUT=source_digest.h -P source_digest.cmake
# Digest of the sources that decide what a compiled program looks like. Names are relative and no
# time goes in, so every checkout of one revision has the same digest. The header keeps its time
# when nothing changed.
set(all "")
foreach(room ${ROOMS})
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${room}/*.cc ${ROOT}/${room}/*.h
       ${ROOT}/${room}/*.def)
  list(APPEND all ${files})
endforeach()
list(SORT all)
set(text "")
foreach(file ${all})
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND text "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${text}")
set(header "#pragma once\n#define UNDERSTUDY_SOURCE_DIGEST \"${digest}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT header STREQUAL old)
  file(WRITE ${OUT} "${header}")
endif()
