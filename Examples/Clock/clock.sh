#!/bin/sh
# An app that does not use RoostKit: an adopted app.
while true; do
    date
    sleep 1
done
