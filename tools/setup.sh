#!/bin/bash
# setup.sh [build|test|boards|prove|programs|mpi4py|lint|fuzz|python|simgrid]...: install what these need, once. Debian packages as
# root or through passwordless sudo; otherwise they are named and we stop. Python packages go into build/venv.
set -euo pipefail
cd -- "$(dirname -- "$0")/.."
mkdir -p build

declare -A packages=(
    [build]="cmake ninja-build gcc libc6-dev"
    [test]="libcmocka-dev pkg-config g++ python3-dev"
    [lint]="clang clang-tidy clang-format"
    [fuzz]="clang libclang-rt-dev"
    [python]="python3-venv"
    [simgrid]="libsimgrid-dev"
    [boards]="gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf
              qemu-system-misc qemu-user clang-19 lld-19 gcc-avr avr-libc"
    [prove]="spin"
    [mpi4py]="python3-dev"
    [programs]="g++ make perl flex bison bc zlib1g-dev libopenblas-serial-dev"
)
# What tells that a package is there without asking dpkg, which other systems lack.
have() {
    case $1 in
    cmake | gcc | g++ | clang | clang-tidy | clang-format | pkg-config | clang-19 | qemu-system-arm | spin | \
        make | perl | flex | bison | bc) command -v "$1" ;;
    gcc-arm-none-eabi) command -v arm-none-eabi-gcc ;;
    libnewlib-arm-none-eabi) arm-none-eabi-gcc --specs=nano.specs -x c -E - </dev/null ;;
    gcc-riscv64-unknown-elf) command -v riscv64-unknown-elf-gcc ;;
    picolibc-riscv64-unknown-elf) riscv64-unknown-elf-gcc --specs=picolibc.specs -x c -E - </dev/null ;;
    qemu-system-misc) command -v qemu-system-riscv64 && command -v qemu-system-avr ;;
    qemu-user) command -v qemu-hexagon ;;
    lld-19) command -v ld.lld-19 ;;
    gcc-avr) command -v avr-gcc ;;
    avr-libc) echo '#include <avr/io.h>' | avr-gcc -mmcu=atmega2560 -E - ;;
    ninja-build) command -v ninja ;;
    libc6-dev) echo '#include <stdio.h>' | cc -E - ;;
    libcmocka-dev) echo '#include <cmocka.h>' | cc -include stdarg.h -include stddef.h -include stdint.h -include setjmp.h -E - ;;
    zlib1g-dev) echo '#include <zlib.h>' | cc -E - ;;
    libopenblas-serial-dev) echo 'int main(void) { return 0; }' | cc -x c - -lopenblas -o /dev/null ;;
    python3-venv) usable_python ;;
    python3-dev) "$(usable_python)" -c 'import os, sys, sysconfig as c; sys.exit(not os.path.exists(c.get_path("include") + "/Python.h"))' ;;
    libsimgrid-dev) command -v smpicc && command -v smpirun ;;
    libclang-rt-dev) ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer* ;;
    esac >/dev/null 2>&1
}

# The first Python that can make an environment: Debian's own may come without.
usable_python() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && echo "$python" && return
    done
    return 1
}

install_packages() {
    local missing=() package sudo=()
    for package in "$@"; do have "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            sudo=(sudo -n)
        else
            echo "These packages are missing; install them and try again:" >&2
            echo "    apt-get install ${missing[*]}" >&2
            exit 1
        fi
    fi
    echo "Installing ${missing[*]}"
    "${sudo[@]}" apt-get update -qq
    # Debian numbers the run time of its clang; the number is known after the update.
    missing=("${missing[@]/libclang-rt-dev/libclang-rt-$(clang_version)-dev}")
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

clang_version() { apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -1; }

# install_python FILE: its packages, unless that very file has been installed.
install_python() {
    local stamp
    stamp=build/venv/stamp-$(basename "$1")
    cmp -s "$1" "$stamp" && return
    [ -x build/venv/bin/python3 ] || "$(usable_python)" -m venv build/venv
    echo "Installing Python packages into build/venv"
    build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check -r "$1"
    cp "$1" "$stamp"
}

wanted=() requirements=()
for what in "${@:-build}"; do
    case $what in
    build | fuzz | simgrid | boards | prove | programs | mpi4py) wanted+=(build "$what") ;;
    test) wanted+=(build test) requirements+=(requirements.txt) ;;
    python) requirements+=(requirements.txt) ;;
    lint) wanted+=(build test lint) requirements+=(requirements.txt requirements-lint.txt) ;; # types are of what is called
    *) echo "setup.sh: unknown part '$what'" >&2 && exit 2 ;;
    esac
done
[ ${#requirements[@]} -eq 0 ] || wanted+=(python)
names=$(for what in "${wanted[@]}"; do printf '%s\n' ${packages[$what]}; done | sort -u)
install_packages $names
for file in "${requirements[@]}"; do install_python "python/$file"; done
