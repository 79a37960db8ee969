"""The breaks of converted samples."""

from __future__ import annotations

from mutation.mutants import SAMPLES, Mutant, Subject

_APPLY = "    optimizer.apply_gradients(zip(gradients, trainable_variables))\n"
_SAVE_PATH = '    save_checkpoint(checkpoint, "%s-%d" % (os.path.join(MODEL_DIR, "model.ckpt"), step))'

SUBJECTS = (
    Subject(
        SAMPLES / "saver_in_loop.py",
        (
            Mutant("dropped update", _APPLY, ""),
            Mutant("learning rate", "SGD(0.2)", "SGD(0.202)"),
            Mutant("skipped gradient", "trainable_variables = [w1, b1, w2, b2]", "trainable_variables = [w1, b1, w2]"),
            Mutant(
                "checkpoint without a variable",
                "b2=b2, optimizer=optimizer)",
                "optimizer=tf.keras.optimizers.SGD())",
            ),
            Mutant(
                "variable named twice in a checkpoint",
                "w1=w1, b1=b1, w2=w2, b2=b2,",
                "w1=w1, b1=b1, w2=w2,",
                equivalent="the optimizer, which is saved, holds the variable too: the file has it, and restoring brings it back",
            ),
            Mutant("checkpoint one step off", '"model.ckpt"), step))', '"model.ckpt"), step + 1))'),
            Mutant("checkpoints kept", "step))\n", "step), kept)\n", also=[("for step in", "kept = []\nfor step in")]),
            Mutant("wrong batch fed", "(step * BATCH_SIZE)", "((step + 1) * BATCH_SIZE)"),
            Mutant("averaged where summed", "tf.reduce_mean(tf.cast(correct", "tf.reduce_sum(tf.cast(correct"),
            Mutant(
                "order of saving and training",
                "\n\n" + _SAVE_PATH,
                "",
                also=[("    loss_value, acc_value = ", _SAVE_PATH + "\n    loss_value, acc_value = ")],
            ),
            Mutant(
                "Saver back in the loop",
                _SAVE_PATH,
                "    checkpoint = tf.train.Checkpoint(w1=w1, b1=b1, w2=w2, b2=b2, optimizer=optimizer)\n" + _SAVE_PATH,
                equivalent="a Checkpoint adds nothing to a graph: each of these writes the same file, in the same time",
            ),
            Mutant(
                "step built again in the loop",
                "    loss_value, acc_value = (value.numpy() for value in train_step(batch_x, batch_y))",
                "    loss_value, acc_value = (value.numpy() for value in tf.function(train_step)(batch_x, batch_y))",
            ),
        ),
    ),
    Subject(
        SAMPLES / "dropout_mlp.py",
        (
            Mutant("train flag stuck on", "tf_is_training=False", "tf_is_training=True"),
            Mutant("train flag stuck off", "tf_is_training=True", "tf_is_training=False"),
            Mutant(
                "keep_prob against rate", "tf.where(tf_is_training, 0.5, 0.0)", "tf.where(tf_is_training, 0.4, 0.0)"
            ),
            Mutant("dropout left out", "    d2 = tf.nn.dropout(d2, rate=tf.where(tf_is_training, 0.5, 0.0))", "   "),
            Mutant("clipping", "tf.clip_by_norm(grad, 1.0)", "tf.clip_by_norm(grad, 0.5)"),
            Mutant(
                "clipping beyond every gradient",
                "tf.clip_by_norm(grad, 1.0)",
                "tf.clip_by_norm(grad, 1.1)",
                equivalent="no gradient of the runs that are verified is longer than 0.68, so nothing is clipped",
            ),
            Mutant(
                "clipping left out",
                "tf.clip_by_norm(grad, 1.0)",
                "grad",
                equivalent="no gradient of the runs that are verified is longer than 0.68, so nothing is clipped",
            ),
            Mutant("epsilon", "    d_optimizer = Adam(LR)", "    d_optimizer = Adam(LR, epsilon=1e-7)"),
            Mutant("dropped update", "    d_optimizer.apply_gradients(clipped)\n", ""),
            Mutant(
                "activation",
                "dense_1 = tf.keras.layers.Dense(N_HIDDEN, activation=tf.nn.relu)",
                "dense_1 = tf.keras.layers.Dense(N_HIDDEN)",
            ),
            Mutant("fetches exchanged", "return o_loss, d_loss, o_out, d_out", "return d_loss, o_loss, o_out, d_out"),
            Mutant("averaged where summed", "d_loss = tf.reduce_mean(", "d_loss = tf.reduce_sum("),
        ),
    ),
    Subject(
        SAMPLES / "tensorboard_summaries.py",
        (
            Mutant(
                "summary step off by one",
                "write_test_summaries(summary, tf.constant(i,",
                "write_test_summaries(summary, tf.constant(i + 1,",
                often=True,
            ),
            Mutant(
                "summary of another value",
                '"layer1/max": tf.reduce_max(weights_1)',
                '"layer1/max": tf.reduce_max(weights_2)',
            ),
            Mutant("summary left out", '        tf.summary.histogram("activations", values["activations"])\n', ""),
            Mutant("summary under another name", 'tf.summary.scalar("accuracy"', 'tf.summary.scalar("acc"'),
            Mutant(
                "histogram of another value", '"layer2/histogram": weights_2', '"layer2/histogram": weights_2 * 1.01'
            ),
            Mutant(
                "order of update and read",
                "        train_step(feed[points_spec], feed[labels_spec])\n        write_train_summaries(compute_summaries(feed[points_spec], feed[labels_spec]), tf.constant(i, tf.int64))",
                "        write_train_summaries(compute_summaries(feed[points_spec], feed[labels_spec]), tf.constant(i, tf.int64))\n        train_step(feed[points_spec], feed[labels_spec])",
            ),
            Mutant("epsilon", "Adam(0.02)", "Adam(0.02, epsilon=1e-7)"),
            Mutant("beta", "Adam(0.02)", "Adam(0.02, beta_2=0.99)"),
            Mutant(
                "writers exchanged",
                'LOG_DIR + "/test"',
                'LOG_DIR + "/train"',
                also=[('create_file_writer(LOG_DIR + "/train")', 'create_file_writer(LOG_DIR + "/test")')],
            ),
            Mutant(
                "wrong data judged",
                "compute_cross_entropy(test_points, test_labels)",
                "compute_cross_entropy(train_points, train_labels)",
            ),
        ),
    ),
    Subject(
        SAMPLES / "kmeans_assign.py",
        (
            Mutant("dropped update", "    cluster_assignments.assign(best_centroids)\n", "", often=True),
            Mutant(
                "order of update and read",
                "    did_assignments_change = tf.reduce_any(tf.not_equal(best_centroids, cluster_assignments))\n",
                "",
                also=[
                    (
                        "    return did_assignments_change",
                        "    did_assignments_change = tf.reduce_any(tf.not_equal(best_centroids, cluster_assignments))\n    return did_assignments_change",
                    )
                ],
            ),
            Mutant("averaged where summed", "inertia = tf.reduce_sum(", "inertia = tf.reduce_mean("),
            Mutant("axis", "tf.reduce_min(sum_squares, 1)", "tf.reduce_min(sum_squares, 0)"),
            Mutant("argmax for argmin", "tf.argmin(", "tf.argmax("),
            Mutant(
                "type of a variable",
                "tf.zeros([N], dtype=tf.int64)",
                "tf.zeros([N], dtype=tf.int32)",
                also=[("tf.argmin(sum_squares, 1)", "tf.argmin(sum_squares, 1, output_type=tf.int32)")],
            ),
            Mutant(
                "stale variable",
                "centers, assignments = [centroids.numpy(), cluster_assignments.numpy()]",
                "centers, assignments = [samples[:K], cluster_assignments.numpy()]",
            ),
            Mutant(
                "trainable",
                "tf.zeros([N], dtype=tf.int64), trainable=False)",
                "tf.zeros([N], dtype=tf.int64), trainable=True)",
            ),
            Mutant("one step less", "iters < MAX_ITERS", "iters < 3"),
        ),
    ),
    Subject(
        SAMPLES / "dataset_iterator.py",
        (
            Mutant("feed exchanged", "dataset.map(normalize)", "dataset.map(lambda f, l: (f[::-1], l)).map(normalize)"),
            Mutant("wrong batch size", ".batch(FLAGS.batch_size)", ".batch(FLAGS.batch_size - 1)"),
            Mutant("shuffle left out", ".shuffle(500, seed=5)", ""),
            Mutant("last batch dropped", ".batch(FLAGS.batch_size)", ".batch(FLAGS.batch_size, drop_remainder=True)"),
            Mutant("initial accumulator", "Adagrad(0.1)", "Adagrad(0.1, initial_accumulator_value=0.11)"),
            Mutant("dropped update of a counter", "        global_step.assign_add(1)\n", ""),
            Mutant(
                "iterator made once",
                "        iterator = iter(make_dataset(features, labels))\n",
                "",
                also=[
                    (
                        "    for epoch in range",
                        "    iterator = iter(make_dataset(features, labels).repeat())\n    for epoch in range",
                    )
                ],
            ),
            Mutant("initial value", "tf.constant_initializer(0.05)", "tf.constant_initializer(0.5)"),
            Mutant(
                "seed of an initial value",
                "stddev=0.2, seed=3",
                "stddev=0.2, seed=4",
                equivalent="other draws of the same distribution; no seed draws the same numbers in both versions, and both sides begin with the same values",
            ),
            Mutant("scale of an initial value", "stddev=0.2, seed=3", "stddev=0.3, seed=3"),
            Mutant(
                "type of a counter",
                "tf.Variable(0, trainable=False, dtype=tf.int64",
                "tf.Variable(0, trainable=False, dtype=tf.int32",
            ),
        ),
    ),
    Subject(
        SAMPLES / "word_vectors_sampled_loss.py",
        (
            Mutant("number of samples", "num_sampled=num_sampled", "num_sampled=num_sampled + 1"),
            Mutant("another loss", "tf.nn.nce_loss(", "tf.nn.sampled_softmax_loss("),
            Mutant(
                "transposed",
                "normalized_embeddings, normalized_embeddings, transpose_b=True)",
                "embeddings, normalized_embeddings, transpose_b=True)",
            ),
            Mutant(
                "seed reuse",
                "num_sampled=num_sampled,",
                "num_sampled=num_sampled, sampled_values=tf.random.log_uniform_candidate_sampler(tf.cast(train_labels, tf.int64), 1, num_sampled, True, vocabulary_size, seed=1),",
            ),
            Mutant(
                "skipped gradient",
                "trainable_variables = [embeddings, nce_weights, nce_biases]",
                "trainable_variables = [nce_weights, nce_biases]",
            ),
            Mutant(
                "variable not looked up",
                "embedding_lookup(embeddings, train_inputs)",
                "embedding_lookup(tf.stop_gradient(embeddings), train_inputs)",
            ),
            Mutant(
                "feed exchanged",
                "train_step(feed_dict[train_inputs_spec], feed_dict[train_labels_spec])",
                "train_step(feed_dict[train_labels_spec][:, 0], feed_dict[train_inputs_spec][:, None])",
            ),
        ),
    ),
    Subject(
        SAMPLES / "save_restore_continue.py",
        (
            Mutant("restore without a variable", ', "output/b": b_2', "", also=[(', "output/b": b_2', "")]),
            Mutant("restore left out", "restore_checkpoint(checkpoint, latest, {", "dict({"),
            Mutant(
                "restore without slots",
                '"global_step": global_step}, [optimizer])\nprint("restored"',
                '"global_step": global_step}, [])\noptimizer.reset()\nprint("restored"',
            ),
            Mutant(
                "checkpoint without slots", "global_step=global_step, optimizer=optimizer)", "global_step=global_step)"
            ),
            Mutant("checkpoints kept", "max_to_keep=2)\n        print", "max_to_keep=3)\n        print"),
            Mutant(
                "checkpoint under another name",
                '"model.ckpt"), global_step.numpy()), kept_checkpoints, max_to_keep=2)\n        print',
                '"model.ckpt"), i), kept_checkpoints, max_to_keep=2)\n        print',
            ),
            Mutant("dropped update of a counter", "    global_step.assign_add(1)\n", ""),
            Mutant("epsilon", "Adam(0.01)", "Adam(0.01, epsilon=1e-7)"),
            Mutant("loss", "tf.math.squared_difference(prediction, y)", "tf.abs(prediction - y)"),
        ),
    ),
    Subject(
        SAMPLES / "mlp_rmsprop_staircase.py",
        (
            Mutant(
                "schedule off by one",
                "staircase=True)(global_step)\n        optimizer",
                "staircase=True)(global_step + 1)\n        optimizer",
            ),
            Mutant(
                "staircase left out",
                "decay_rate=0.5, staircase=True)(global_step)\n        optimizer",
                "decay_rate=0.5)(global_step)\n        optimizer",
            ),
            Mutant("epsilon", "rho=0.9, momentum=0.5)", "rho=0.9, momentum=0.5, epsilon=1e-7)"),
            Mutant("momentum", "momentum=0.5)", "momentum=0.51)"),
            Mutant("decay of the optimizer", "rho=0.9", "rho=0.91"),
            Mutant("centered", "momentum=0.5)", "momentum=0.5, centered=True)"),
            Mutant("skipped gradient", "[W1, b1, W2, b2, W3, b3]", "[W1, b1, W2, b2, W3]"),
            Mutant("stale learning rate", "        optimizer.learning_rate.assign(learning_rate)\n", ""),
            Mutant(
                "order of update and read",
                "        learning_rate = tf.keras.optimizers.schedules",
                "        global_step.assign_add(1)\n        learning_rate = tf.keras.optimizers.schedules",
                also=[("trainable_variables))\n        global_step.assign_add(1)", "trainable_variables))")],
            ),
            Mutant(
                "wrong batch fed",
                "y_spec: y_train[start:start + args.batch_size]}",
                "y_spec: y_train[start + 1:start + 1 + args.batch_size]}",
            ),
        ),
    ),
    Subject(
        SAMPLES / "learning_rate_assign_in_loop.py",
        (
            Mutant("schedule off by one", "0.995 ** iteration", "0.995 ** (iteration + 1)"),
            Mutant("stale learning rate", "    optimizer.learning_rate.assign(lr)\n", ""),
            Mutant(
                "variable frozen in the trace",
                "optimizer.learning_rate.assign(lr)",
                "optimizer.learning_rate.assign(0.01)",
            ),
            Mutant(
                "order of update and read",
                "        lr.assign(0.01 * (0.995 ** iteration))\n",
                "",
                also=[
                    (
                        "        train_step(batch_xs, batch_ys)\n",
                        "        train_step(batch_xs, batch_ys)\n        lr.assign(0.01 * (0.995 ** iteration))\n",
                    )
                ],
            ),
            Mutant(
                "softmax twice",
                "softmax_cross_entropy_with_logits(labels=y, logits=logits))\n    gradients",
                "softmax_cross_entropy_with_logits(labels=y, logits=tf.nn.softmax(logits)))\n    gradients",
            ),
            Mutant(
                "feed exchanged",
                "tf.argmax(y, 1), tf.argmax(prediction, 1)",
                "tf.argmax(y, 0), tf.argmax(prediction, 0)",
            ),
            Mutant("activation", "tf.nn.tanh(tf.matmul(L1, W2) + b2)", "tf.nn.sigmoid(tf.matmul(L1, W2) + b2)"),
        ),
    ),
    Subject(
        SAMPLES / "summary_merge_in_loop.py",
        (
            Mutant("summary step off by one", "tf.constant(i, tf.int64)", "tf.constant(i + 1, tf.int64)"),
            Mutant(
                "value read after the update",
                "        return summaries, rmse",
                '        summaries["mse"] = tf.reduce_mean(tf.square(forward(x) - y_))\n        return summaries, rmse',
            ),
            Mutant(
                "error read after the update",
                "        rmse = tf.sqrt(tf.reduce_mean(tf.square(y - y_)))\n",
                "",
                also=[
                    (
                        "        return summaries",
                        "        rmse = tf.sqrt(tf.reduce_mean(tf.square(forward(x) - y_)))\n        return summaries",
                    )
                ],
            ),
            Mutant("histogram of another value", '"residuals": y - y_', '"residuals": y_ - y'),
            Mutant("fetches exchanged", "summary, error, largest = ", "summary, largest, error = "),
            Mutant("dropped update", "        optimizer.apply_gradients(zip(gradients, trainable_variables))\n", ""),
            Mutant("summary left out", "        write_summaries(summary, tf.constant(i, tf.int64))\n", ""),
            Mutant("default of a flag", '"learning_rate", 0.05', '"learning_rate", 0.0505'),
        ),
    ),
    Subject(
        SAMPLES / "autoencoder.py",
        (
            Mutant(
                "shared weights exchanged",
                "tf.add(tf.matmul(x, weights['decoder_h1']),\n                                   biases['decoder_b1'])",
                "tf.add(tf.matmul(x, weights['decoder_h1']),\n                                   biases['encoder_b1'])",
            ),
            Mutant(
                "half the loss",
                "tf.reduce_mean(tf.pow(y_true - y_pred, 2))",
                "0.5 * tf.reduce_mean(tf.pow(y_true - y_pred, 2))",
            ),
            Mutant("epsilon", "Adam(learning_rate)", "Adam(learning_rate, epsilon=1e-7)"),
            Mutant("random numbers of the host", "np.random.seed(9)", "np.random.seed(10)"),
            Mutant("skipped gradient", "        biases['decoder_b2'],\n", ""),
            Mutant(
                "order of a variable list",
                "        weights['encoder_h1'],\n        weights['encoder_h2'],\n",
                "        weights['encoder_h2'],\n        weights['encoder_h1'],\n",
                equivalent="each gradient still meets its own variable",
            ),
            Mutant(
                "wrong data judged",
                "compute_decoder(signals[:examples_to_show])",
                "compute_decoder(signals[1:examples_to_show + 1])",
            ),
        ),
    ),
)
