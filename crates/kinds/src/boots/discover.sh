#!/bin/sh
# Finds out the hardware of this machine, reports it, and switches the machine off. It needs busybox or the usual tools,
# with wget, and reads only: nothing is written to any disk.

{values}

lower() { tr '[:upper:]' '[:lower:]'; }
dmi() { cat "/sys/class/dmi/id/$1" 2>/dev/null; }
# A text as it stands in JSON.
json() { printf '%s' "$1" | tr -d '\000-\037' | sed -e 's/[\\"]/\\&/g' -e 's/^ *//' -e 's/ *$//'; }
# A member of an object, unless the text is empty.
member() { [ -z "$2" ] || printf '"%s": "%s", ' "$1" "$(json "$2")"; }
post() { wget -q -O /dev/null --header 'Content-Type: application/json' --post-data "$2" "$url/boot/$1/$token"; }
report() { post report "{\"stage\": \"$1\", \"outcome\": \"$2\", \"message\": \"$(json "$3")\"}"; }

uuid=$(dmi product_uuid)
serial=$(dmi product_serial)

# This text must do nothing on another machine. One that tells nothing of itself was found by its network address alone.
is_another() { [ -n "$1" ] && [ -n "$2" ] && [ "$(printf '%s' "$1" | lower)" != "$(printf '%s' "$2" | lower)" ]; }
if is_another "$uuid" "$expected_uuid" || is_another "$serial" "$expected_serial"; then
  report check FAILED "the machine has the serial number $serial and the UUID $uuid, and the text is for another one"
  reboot -f
  exit 1
fi

disks() {
  separator=''
  for path in /sys/block/*; do
    name=${path##*/}
    case $name in loop* | ram* | zram* | sr* | fd* | md* | dm-* | nbd*) continue ;; esac
    sectors=$(cat "$path/size" 2>/dev/null)
    # Removable devices, and those behind a network or of several paths, are no disks of this machine.
    [ "$(cat "$path/removable" 2>/dev/null)" = 0 ] && [ "${sectors:-0}" -gt 0 ] || continue
    case $(readlink -f "$path") in */usb*/* | */session*/* | */rport-*/* | */nvme-fabrics/*) continue ;; esac
    medium=SSD
    [ "$(cat "$path/queue/rotational" 2>/dev/null)" = 1 ] && medium=HDD
    case $name in nvme*) medium=NVME ;; esac
    printf '%s{%s%s"name": "%s", "sizeBytes": %s, "medium": "%s"}' "$separator" \
      "$(member model "$(cat "$path/device/model" 2>/dev/null)")" \
      "$(member serial "$(cat "$path/device/serial" "$path/serial" 2>/dev/null | head -n 1)")" \
      "$name" "$((sectors * 512))" "$medium"
    separator=', '
  done
}

interfaces() {
  separator=''
  for path in /sys/class/net/*; do
    [ -e "$path/device" ] || continue
    printf '%s{%s"name": "%s"}' "$separator" "$(member permanentMac "$(cat "$path/address")")" "${path##*/}"
    separator=', '
  done
}

# The memory that is plugged in; without the blocks of the kernel, what it did not keep for itself.
memory() {
  block=$(cat /sys/devices/system/memory/block_size_bytes 2>/dev/null)
  blocks=$(ls -d /sys/devices/system/memory/memory[0-9]* 2>/dev/null | wc -l)
  if [ -n "$block" ] && [ "$blocks" -gt 0 ]; then
    echo "$((0x$block * blocks))"
  else
    awk '/^MemTotal/ {printf "%.0f", $2 * 1024}' /proc/meminfo
  fi
}

# Tries again for half a minute, because a network can need some time.
insist() {
  attempts=0
  until "$@"; do
    attempts=$((attempts + 1))
    [ "$attempts" -lt 10 ] || return 1
    sleep 3
  done
}

threads=$(grep -c '^processor' /proc/cpuinfo)
model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)

report hardware WORKING 'the hardware is read'
facts="{\"format\": 1, \"agent\": {\"version\": \"discovery\"}, \"observedAt\": \"$now\",
  \"system\": {\"complete\": false, \"found\": {$(member uuid "$uuid")$(member serial "$serial")\
$(member boardSerial "$(dmi board_serial)")$(member manufacturer "$(dmi sys_vendor)")\
\"model\": \"$(json "$(dmi product_name)")\"}},
  \"memory\": {\"complete\": false, \"found\": {\"modules\": [], \"totalBytes\": $(memory)}},
  \"processors\": {\"complete\": false, \"found\": [{$(member model "$model")\"socket\": 0, \"cores\": $threads, \
\"threads\": $threads}]},
  \"disks\": {\"complete\": true, \"found\": [$(disks)]},
  \"interfaces\": {\"complete\": true, \"found\": [$(interfaces)]}}"

if insist post facts "$facts" && insist report hardware DONE 'the hardware was reported'; then
  echo 'underlay: the hardware was reported'
else
  echo 'underlay: the hardware could not be reported'
fi
poweroff -f
