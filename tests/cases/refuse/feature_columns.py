# refuse: feature columns and input_layer
import tensorflow as tf

age = tf.feature_column.numeric_column("age")
buckets = tf.feature_column.bucketized_column(age, [20, 40])
inputs = {"age": tf.placeholder(tf.float32, [None, 1])}
net = tf.feature_column.input_layer(inputs, [buckets])  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(net, {inputs["age"]: [[10.0], [30.0]]}))
