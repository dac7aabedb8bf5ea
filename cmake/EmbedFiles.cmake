# embed_files(<target> [GENERATED] NAMESPACE <namespace> FILES <file>...)
#
# Puts files into the binary. The assembler copies them with .incbin, so a font of several 100 KB costs no compile
# time. They are included from an assembly file: ccache does not see this dependency, but it does not cache assembly files. For NAMESPACE
# warpsieve::shaders and sprite.vert the target gets a header "embedded/shaders.hpp" with
#   namespace warpsieve::shaders {
#   std::string_view sprite_vert();
#   std::span<const std::byte> sprite_vert_bytes();
#   }
# GENERATED: the build makes the files. Characters that are illegal in an identifier become '_', letters become lower case.
include_guard(GLOBAL)

function(embed_files target)
  cmake_parse_arguments(PARSE_ARGV 1 EMBED "GENERATED" "NAMESPACE" "FILES")
  if(NOT EMBED_NAMESPACE OR NOT EMBED_FILES)
    message(FATAL_ERROR "embed_files(${target}) needs NAMESPACE and FILES")
  endif()

  string(REGEX REPLACE ".*::" "" header_name ${EMBED_NAMESPACE})
  string(REPLACE "::" "_" symbol_prefix ${EMBED_NAMESPACE})
  set(EMBED_DECLARATIONS "")
  set(EMBED_DEFINITIONS "")
  # Read-only data; no executable stack is needed.
  set(assembly ".section .note.GNU-stack,\"\",%progbits\n.section .rodata\n")
  set(paths "")
  foreach(file IN LISTS EMBED_FILES)
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EMBED_GENERATED AND NOT EXISTS ${path})
      message(FATAL_ERROR "embed_files(${target}): ${path} does not exist")
    endif()
    list(APPEND paths ${path})
    cmake_path(GET path FILENAME name)
    string(MAKE_C_IDENTIFIER ${name} name)
    string(TOLOWER ${name} name)
    string(APPEND EMBED_DECLARATIONS "std::string_view ${name}();\nstd::span<const std::byte> ${name}_bytes();\n")
    set(begin begin_${symbol_prefix}_${name})
    set(end end_${symbol_prefix}_${name})
    # The zero after the bytes lets C functions read text.
    string(APPEND assembly
      ".globl ${begin}, ${end}\n.hidden ${begin}, ${end}\n.balign 16\n"
      "${begin}: .incbin \"${path}\"\n${end}: .byte 0\n")
    string(APPEND EMBED_DEFINITIONS
      "extern \"C\" const char ${begin}[];\nextern \"C\" const char ${end}[];\n"
      "std::string_view ${name}() { return text(${begin}, ${end}); }\n"
      "std::span<const std::byte> ${name}_bytes() { return std::as_bytes(std::span(${name}())); }\n\n")
  endforeach()

  set(EMBED_HEADER ${header_name}.hpp)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded_${target})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed.hpp.in ${folder}/embedded/${header_name}.hpp @ONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed.cpp.in ${folder}/embedded/${header_name}.cpp @ONLY)
  file(CONFIGURE OUTPUT ${folder}/embedded/${header_name}.s CONTENT "${assembly}" @ONLY)
  set_source_files_properties(${folder}/embedded/${header_name}.s PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${folder}/embedded/${header_name}.cpp ${folder}/embedded/${header_name}.s)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
