# Sequences of unequal length, padded to the longest of the batch; a dictionary of batches.
import os
import tempfile

import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "s.tfrecords")
with tf.python_io.TFRecordWriter(path) as writer:
    for n in (1, 3, 2, 4):
        example = tf.train.SequenceExample(
            context=tf.train.Features(feature={
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[n]))}),
            feature_lists=tf.train.FeatureLists(feature_list={
                "frame": tf.train.FeatureList(feature=[
                    tf.train.Feature(int64_list=tf.train.Int64List(value=[10 * n + k])) for k in range(n)])}))
        writer.write(example.SerializeToString())


def get_padded_batch(file_list, batch_size):
    file_queue = tf.train.string_input_producer(file_list)
    reader = tf.TFRecordReader()
    _, serialized_example = reader.read(file_queue)
    context_features = {"label": tf.FixedLenFeature([], dtype=tf.int64)}
    sequence_features = {"frame": tf.FixedLenSequenceFeature([], dtype=tf.int64)}
    context_parsed, sequence_parsed = tf.parse_single_sequence_example(
        serialized=serialized_example,
        context_features=context_features,
        sequence_features=sequence_features)
    labels = context_parsed["label"]
    frames = sequence_parsed["frame"]
    return tf.train.batch({"labels": labels, "frames": frames}, batch_size=batch_size, capacity=10,
                          dynamic_pad=True, allow_smaller_final_batch=False)


batches = get_padded_batch([path], 2)
sess = tf.Session()
tf.train.start_queue_runners(sess=sess)
for i in range(3):
    frames, labels = sess.run([batches["frames"], batches["labels"]])
    print(labels)
    print(frames)
