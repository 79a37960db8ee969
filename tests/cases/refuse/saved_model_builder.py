# refuse: SavedModelBuilder writes a graph with signatures
import os
import tempfile
import tensorflow as tf

folder = os.path.join(tempfile.mkdtemp(), "export")
x = tf.placeholder(tf.float32, [None], name="x")
w = tf.Variable(2.0)
y = x * w
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    builder = tf.saved_model.builder.SavedModelBuilder(folder)  # here
    signature = tf.saved_model.signature_def_utils.predict_signature_def({"x": x}, {"y": y})  # here
    builder.add_meta_graph_and_variables(sess, ["serve"], {"predict": signature})
    builder.save()
print(sorted(os.listdir(folder)))
