#!/bin/sh
# Runs ipmitool with the ciphers that ipmi_sim has. Asked which it has, ipmi_sim does not answer.
exec ipmitool -C 3 "$@"
