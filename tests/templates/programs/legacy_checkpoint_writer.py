"""A TensorFlow 1.15 program that trains, saves, and trains on: what it printed and saved is the truth for the reader.

legacy_checkpoint_writer.py FOLDER      writes FOLDER/OPTIMIZER/model-4 and FOLDER/expected.npz
"""

import os
import sys

import numpy as np
import tensorflow as tf

from training_settings import OPTIMIZERS, batch

folder = sys.argv[1]
expected = {}
for name, (old, settings, _, _) in sorted(OPTIMIZERS.items()):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 4])
        with tf.variable_scope("layer"):
            w = tf.get_variable("w", initializer=np.linspace(-1, 1, 8, dtype="float32").reshape(4, 2))
        table = tf.Variable(np.linspace(0, 1, 10, dtype="float32").reshape(5, 2), name="w")  # same last name, no scope
        unused = tf.Variable([1.0, 2.0], name="unused")
        global_step = tf.Variable(0, name="global_step", trainable=False)
        loss = tf.reduce_sum(tf.square(tf.matmul(x, w) - tf.nn.embedding_lookup(table, [0, 3, 3])))
        with tf.name_scope("training"):
            train = getattr(tf.train, old)(0.05, **settings).minimize(loss, global_step=global_step)
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        for step in range(8):
            session.run(train, {x: batch(step)})
            if step == 3:
                os.makedirs(os.path.join(folder, name))
                saver.save(session, os.path.join(folder, name, "model"), global_step=global_step)
                expected[name + "/saved"] = session.run(w)
        expected[name + "/w"], expected[name + "/table"] = session.run([w, table])
np.savez(os.path.join(folder, "expected.npz"), **expected)
