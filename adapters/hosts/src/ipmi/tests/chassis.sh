#!/bin/sh
# Answers ipmi_sim, and notes what it sets in files beside the link to this script.
cd "$(dirname "$0")" || exit 1
case "$2 $3" in
  'get power') echo "power:$(cat power)" ;;
  'get boot') echo "boot:$(cat boot)" ;;
  'set power') echo "$4" >power; echo "power $4" >>acts ;;
  'set boot') echo "$4" >boot; echo "boot $4" >>acts ;;
  *) echo "$2 $3" >>acts ;;
esac
