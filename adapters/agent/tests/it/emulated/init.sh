#!/bin/busybox sh
# The first program of a virtual machine of the tests. Each line that comes over the second serial port is a command.
/bin/busybox mkdir -p /proc /sys /dev /run /tmp /usr/sbin
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev

# One that is built in is not found, which is no fault.
modprobe -a @MODULES@
stty -F /dev/ttyS1 raw -echo
exec 0<>/dev/ttyS1 1>&0

echo '@END@'
while read -r line; do
  eval "$line"
  echo '@END@'
done
# The other end is gone.
poweroff -f
