#!/bin/sh
# The full run and its picture: demo.sh MFT MPIEXEC FOLDER [RANKS] [options of mft]
# FOLDER receives mft.json and mft.png. $PYTHON (default python3) needs numpy and matplotlib for the picture.
set -eu

if [ $# -lt 3 ]; then
    echo "demo.sh: give the program, the launcher and a folder for the results: demo.sh MFT MPIEXEC FOLDER [RANKS] [options]" >&2
    exit 2
fi
mft=$1 mpiexec=$2 folder=$3
shift 3
ranks=2
if [ $# -gt 0 ]; then
    ranks=$1
    shift
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
"$mpiexec" -n "$ranks" "$mft" --output "$folder/mft.json" "$@"
"${PYTHON:-python3}" "$here/plot.py" "$folder/mft.json" "$folder/mft.png"
