# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # variables that bench/gpu.sh and the files it sources share
# The parts of bench/gpu.sh, each in the order of worth. The limits of a part are 570 s together at most.

# grid NAME SECONDS PART MODE RATIOS N...
grid() { stage "$1" "$2" "$bin/gpu_grid" "$out/$3.jsonl" "${@:4}"; }

tests() { stage "tests: $1" "$2" "$bin/gpu_tests" --gtest_filter="$3"; }  # NAME SECONDS SUITES

part_device() {
  tests lists 25 'CudaLists.*'
  tests grid 30 'CudaGrid.*'
  tests "graphs, and what is the caller's" 30 'CudaGraphs.*:CudaCallers.*:CudaCaptures.*'
  tests loop 30 'CudaLoop.*'
  grid "times: ${middle[*]}" 60 device times 1,100 "${middle[@]}"
  ((${#large[@]} == 0)) || grid "times: ${large[*]}" 60 device times 1,100 "${large[@]}"
  grid "times: relaxed" 35 device relaxed 1,100 "${middle[@]}"
  grid "times: periodic" 15 device periodic 1,100 "$largest"
  grid "times: loop" 20 device loop 1,100 "${middle[@]}"
  grid "times: lists" 20 device lists 2,16,64,256 "${middle[0]}"
  tests "random systems" 40 'RandomSystemsCuda.*'
  tests "all others" 30 '-CudaLists.*:CudaGrid.*:CudaGraphs.*:CudaCallers.*:CudaCaptures.*:CudaLoop.*:RandomSystemsCuda.*'
}

# Each framework in a process of its own, because each takes memory as it likes.
part_python() {
  local framework why files n
  local -x PYTHONPATH=$python HGRID_C_LIBRARY=$bin/libhgrid_c.so HGRID_RESULTS=$out/python.jsonl HGRID_FRAMEWORK
  local -x PYTHONDONTWRITEBYTECODE=1 XLA_PYTHON_CLIENT_PREALLOCATE=false
  if [[ ! -d $python/hgrid ]]; then
    leave_out python "the kit has no Python door of these sources"
    return
  fi
  for framework in torch cupy jax warp; do
    if ! why=$(python3 -c "import pytest, hgrid, $framework" 2>&1); then
      leave_out "python: $framework" "python3 says ${why##*$'\n'}"
      continue
    fi
    HGRID_FRAMEWORK=$framework files=(tests/python/test_device*.py)
    [[ $framework != warp ]] || files=(tests/python/test_warp.py)
    stage "python: $framework" 180 python3 -m pytest -q -p no:cacheprovider "${files[@]}"
  done
  if why=$(python3 -c "import hgrid, newton" 2>&1); then
    stage "python: newton" 120 python3 examples/clients/newton_contacts.py cuda:0
    for n in 10000 100000; do stage "python: newton, times of $n" 60 python3 examples/clients/newton_contacts.py times $n cuda:0; done
  else
    leave_out "python: newton" "python3 says ${why##*$'\n'}"
  fi
}

up_to_the_processors() {  # powers of two, 16 at most
  local number
  for number in 1 2 4 8 16; do ((number > $(nproc))) || echo "$number"; done
}

part_host() {
  local n number workers
  mapfile -t workers < <(up_to_the_processors)
  ((${#workers[@]} == 5)) || leave_out "host: more than ${workers[-1]} threads or ranks" "there are $(nproc) processors"
  for n in "${middle[@]}"; do
    stage "host: threads, $n" $((n > 1000000 ? 250 : 60)) env OMP_WAIT_POLICY=active OMP_PROC_BIND=close OMP_PLACES=cores \
      HGRID_INTERVALS="${HGRID_INTERVALS:-$((n > 1000000 ? 3 : 7))}" \
      "$bin/gpu_host" "$out/host.jsonl" 1,100 "$(IFS=,; echo "${workers[*]}")" "$n"
  done
  if ! command -v mpirun >/dev/null; then
    leave_out "host: ranks" "mpirun is not here"
  elif [[ ! -x $bin/gpu_ranks ]]; then
    leave_out "host: ranks" "gpu_ranks is not here, which needs MPI and Zoltan where it is compiled"
  else
    for number in "${workers[@]}"; do
      tool "host: $number rank(s)" 50 env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 \
        LD_LIBRARY_PATH="$bin:${LD_LIBRARY_PATH:-}" mpirun -n "$number" "$bin/gpu_ranks" "$out/host.jsonl" 1,100 "${middle[0]}"
    done
  fi
}

peers() {  # SECONDS for all together
  local programs=("$kit"/peers/*) particles n ratio program each
  ((${#programs[@]})) || { leave_out peers "none are in the kit"; return; }
  each=$(($1 / (2 * ${#programs[@]} * ${#middle[@]})))
  particles=$(mktemp)
  for n in "${middle[@]}"; do
    for ratio in 1 100; do
      "$bin/gpu_grid" "$particles" write "$ratio" "$n" >>"$out/log.txt" 2>&1 || { leave_out peers "no particles"; break 2; }
      for program in "${programs[@]}"; do
        stage "peer ${program##*/}, ratio $ratio, $n" "$each" \
          "$BASH" bench/gpu/kit.sh peer "$program" "$particles" "$ratio" "$n" "$out/details.jsonl"
      done
    done
  done
  rm -f "$particles"
}

sanitizers() {  # SECONDS of each
  local name n=$((middle[0] < 20000 ? middle[0] : 20000))
  for name in memcheck racecheck initcheck synccheck; do
    tool "sanitizer: $name" "$1" compute-sanitizer --tool $name --print-limit 20 --error-exitcode 9 \
      "$bin/gpu_grid" /dev/null once 1,100 $n
  done
}

# Two calls, because one name that this ncu does not know could cost the others. Often for administrators only.
counters() {  # SECONDS of each
  local certain=gpu__time_duration.sum,dram__bytes.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed
  certain+=,sm__warps_active.avg.pct_of_peak_sustained_active
  local others=l1tex__m_xbar2l1tex_read_bytes.sum,smsp__inst_executed.sum,smsp__thread_inst_executed_per_inst_executed.ratio
  local metrics csv
  csv=$(mktemp)
  for metrics in $certain $others; do
    tool "counters: ${metrics%%,*} and more" "$1" ncu --clock-control none --profile-from-start off --csv --log-file "$csv" \
      --kernel-name regex:run_blocks --metrics "$metrics" "$bin/gpu_step" "$largest" 1 100
    [[ ! -s $csv ]] || grep -v '^==' "$csv" >>"$out/counters.csv"  # less what the tool says of itself
  done
  rm -f "$csv"
}

part_details() {
  [[ ,$parts, == *,device,* ]] || grid "times: ${middle[*]}, beside the peers" 60 details times 1,100 "${middle[@]}"
  peers 100
  sanitizers 30
  grid "stages" 50 details stages 1,100 "$largest"
  stage "ceilings" 30 "$bin/gpu_ceilings" "$out/details.jsonl" "${middle[@]}" "${large[@]}"
  counters 35
  grid "variants" 80 details variants 1,100 "$largest"
  grid "times: other ratios" 30 details times 10,50 "${middle[@]}"
}
