"""Runs a converted program as it would run on two devices, as one of two workers, or plainly.

launch.py FILE plain|mirrored|multiworker [ARGUMENT…]
"""

import os
import runpy
import sys

import tensorflow as tf

path, kind = os.path.abspath(sys.argv[1]), sys.argv[2]
if kind == "mirrored":
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    mirrored = tf.distribute.MirroredStrategy
    tf.distribute.MirroredStrategy = lambda: mirrored(["CPU:0", "CPU:1"])  # by itself it takes GPUs, or one CPU
sys.path.insert(0, os.path.dirname(path))
sys.argv = [path, *sys.argv[3:]]
runpy.run_path(path, run_name="__main__")
