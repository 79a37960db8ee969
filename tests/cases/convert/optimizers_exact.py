# Every common optimizer for a few steps on the same loss.
# refused for now: TFM143
import tensorflow as tf

makers = [
    ("sgd", tf.train.GradientDescentOptimizer(0.1)),
    ("momentum", tf.train.MomentumOptimizer(0.1, 0.9)),
    ("nesterov", tf.train.MomentumOptimizer(0.1, momentum=0.8, use_nesterov=True)),
    ("adam", tf.train.AdamOptimizer(0.1, beta1=0.8, beta2=0.99, epsilon=1e-4)),
    ("rmsprop", tf.train.RMSPropOptimizer(0.01)),
    ("rmsprop_m", tf.train.RMSPropOptimizer(0.01, decay=0.8, momentum=0.5, epsilon=1e-3)),
    ("adagrad", tf.train.AdagradOptimizer(0.5)),
    ("adadelta", tf.train.AdadeltaOptimizer(1.0)),
    ("ftrl", tf.train.FtrlOptimizer(0.3, l1_regularization_strength=0.01)),
]
variables, steps = [], []
for name, optimizer in makers:
    v = tf.Variable([1.0, -2.0], name=name)
    loss = tf.reduce_sum(tf.square(v - [0.5, 0.25]) * [1.0, 3.0])
    variables.append(v)
    steps.append(optimizer.minimize(loss, var_list=[v]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(6):
        sess.run(steps)
    for (name, _), value in zip(makers, sess.run(variables)):
        print("%s %.6f %.6f" % (name, value[0], value[1]))
