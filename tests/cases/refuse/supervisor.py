# refuse: tf.train.Supervisor restores and saves behind the script's back
import tempfile
import tensorflow as tf

w = tf.Variable(1.0)
loss = tf.square(w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sv = tf.train.Supervisor(logdir=tempfile.mkdtemp(), save_model_secs=0)  # here
with sv.managed_session() as sess:  # here
    for _ in range(3):
        sess.run(train)
    print("%.5f" % sess.run(loss))
