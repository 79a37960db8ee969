# Lookup tables: of words with buckets, back to words, from a file, from keys and values, made in a helper.
import os
import tempfile

import numpy as np
import tensorflow as tf

words = tf.placeholder(tf.string, [None])
numbers = tf.placeholder(tf.int64, [None])
vocabulary = ["red", "green", "blue"]
path = os.path.join(tempfile.mkdtemp(), "words.txt")
with open(path, "w") as stream:
    stream.write("\n".join(vocabulary) + "\n")


def make_table(names, missing):
    return tf.contrib.lookup.index_table_from_tensor(names, default_value=missing)


table = make_table(vocabulary, -7)
bucketed = tf.contrib.lookup.index_table_from_tensor(mapping=["a", "b"], num_oov_buckets=4)
back = tf.contrib.lookup.index_to_string_table_from_tensor(vocabulary)
filed = tf.contrib.lookup.index_table_from_file(path, num_oov_buckets=2)
names = tf.contrib.lookup.index_to_string_table_from_file(path, default_value="none", vocab_size=2)
keys = tf.constant([10, 20, 30], tf.int64)
values = tf.constant([0.5, 1.5, 2.5])
scores = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(keys, values), 9.0)
w = tf.Variable(2.0)
ids = table.lookup(words)
embedded = scores.lookup(numbers) * w

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
    print(sess.run(ids, {words: ["blue", "pink", "red"]}).tolist())
    print(sess.run(bucketed.lookup(words), {words: ["b", "c", "d", "e", "a", "red"]}).tolist())
    print(sess.run([back.lookup(numbers), names.lookup(numbers)], {numbers: [2, 0, 5]}))
    print(sess.run(filed.lookup(words), {words: ["green", "rose", "violet"]}).tolist())
    print(np.round(sess.run(embedded, {numbers: [20, 11]}), 4), sess.run(table.lookup(tf.constant(["green"]))))
    print(sess.run(filed.size()), sess.run(bucketed.size()))
