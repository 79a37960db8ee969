"""The breaks of programs that were written after public reports: what went wrong there is done on purpose here."""

from __future__ import annotations

from mutation.mutants import REPORTS, Mutant, Subject

SUBJECTS = (
    Subject(
        REPORTS / "batch_norm_update_ops.py",
        (
            Mutant(
                "batch norm without updates",
                "(hidden, training=True)",
                "(hidden, training=True, updates=False)",
                often=True,
            ),
            Mutant("batch norm momentum", "BatchNormalization(momentum=0.9, ", "BatchNormalization(momentum=0.99, "),
            Mutant(
                "batch norm momentum by the other convention",
                "BatchNormalization(momentum=0.9, ",
                "BatchNormalization(momentum=0.1, ",
            ),
            Mutant("batch norm epsilon", "epsilon=1e-5", "epsilon=1e-3"),
            Mutant("train flag stuck on", "training=False, updates=False", "training=True, updates=False"),
            Mutant("train flag stuck off", "(hidden, training=True)", "(hidden, training=False)"),
            Mutant("updates where it is judged", "training=False, updates=False", "training=True"),
            Mutant("skipped gradient", "        batch_normalization.gamma,\n", ""),
            Mutant("momentum", "Momentum(0.01, momentum=0.9)", "Momentum(0.01, momentum=0.9, nesterov=True)"),
            Mutant(
                "optimizer of Keras",
                "Momentum(0.01, momentum=0.9)",
                "tf.keras.optimizers.SGD(0.01, momentum=0.9)",
                equivalent="the rate is constant, and then the two arithmetics differ by rounding alone",
            ),
            Mutant(
                "unbiased variance",
                "BatchNormalization(momentum=0.9, epsilon=1e-5)",
                "BatchNormalization(momentum=0.9, epsilon=1e-5, fused=True)",
            ),
        ),
    ),
    Subject(
        REPORTS / "keep_prob_and_decay.py",
        (
            Mutant("keep_prob against rate", "rate=1 - keep_prob", "rate=keep_prob", often=True),
            Mutant("keep_prob against rate in training", "keep_prob=0.8", "keep_prob=0.2"),
            Mutant("dropout left on", "keep_prob=1.0", "keep_prob=0.8"),
            Mutant("dropout left out", "keep_prob=0.8", "keep_prob=1.0"),
            Mutant(
                "dropout not scaled",
                "tf.nn.dropout(hidden, rate=1 - keep_prob)",
                "keep_prob * tf.nn.dropout(hidden, rate=1 - keep_prob)",
            ),
            Mutant("schedule off by one", "0.8)(global_step)\n    optimizer", "0.8)(global_step + 1)\n    optimizer"),
            Mutant(
                "schedule by the optimizer's own count",
                "0.8)(global_step)\n    optimizer",
                "0.8)(optimizer.iterations)\n    optimizer",
                equivalent="the optimizer counts the same steps from 0",
            ),
            Mutant(
                "staircase",
                "ExponentialDecay(0.1, 7, 0.8)(global_step)\n    optimizer",
                "ExponentialDecay(0.1, 7, 0.8, staircase=True)(global_step)\n    optimizer",
            ),
            Mutant("dropped update of a counter", "    global_step.assign_add(1)\n", ""),
            Mutant(
                "half precision",
                "    logits = tf.matmul(hidden, w2)",
                "    logits = tf.cast(tf.matmul(tf.cast(hidden, tf.float16), tf.cast(w2, tf.float16)), tf.float32)",
            ),
            Mutant("skipped gradient", "trainable_variables = [w1, b1, w2]", "trainable_variables = [w1, w2]"),
        ),
    ),
    Subject(
        REPORTS / "regularizer_and_clipping.py",
        (
            Mutant("regularizer twice", "L2(0.01)", "L2(0.02)", often=True),
            Mutant("regularizer half", "L2(0.01)", "L2(0.005)"),
            Mutant("regularizer left out of the loss", "mse + penalty\n", "mse\n"),
            Mutant("regularizer without a variable", "for w in [w1, w2]", "for w in [w1]"),
            Mutant(
                "clipping by each norm",
                "tf.clip_by_global_norm(gradients, 2.0)",
                "[tf.clip_by_norm(g, 2.0) for g in gradients], tf.linalg.global_norm(gradients)",
            ),
            Mutant(
                "clipping left out",
                "gradients, norm = tf.clip_by_global_norm(gradients, 2.0)",
                "norm = tf.linalg.global_norm(gradients)",
            ),
            Mutant("clipping", "global_norm(gradients, 2.0)", "global_norm(gradients, 2.1)"),
            Mutant("beta", "beta_1=0.8", "beta_1=0.9"),
            Mutant(
                "norm read after clipping",
                "gradients, norm = tf.clip_by_global_norm(gradients, 2.0)",
                "gradients, norm = tf.clip_by_global_norm(gradients, 2.0)\n    norm = tf.linalg.global_norm(gradients)",
            ),
        ),
    ),
    Subject(
        REPORTS / "two_players.py",
        (
            Mutant(
                "wrong var_list",
                "zip(gradients, [g_w, g_b])",
                "zip(gradients, [g_w, g_b, d_w1, d_b1, d_w2])",
                also=[("tape.gradient(g_loss, [g_w, g_b])", "tape.gradient(g_loss, [g_w, g_b, d_w1, d_b1, d_w2])")],
                often=True,
            ),
            Mutant(
                "variable missing in a var_list",
                "tape.gradient(d_loss, [d_w1, d_b1, d_w2])",
                "tape.gradient(d_loss, [d_w1, d_w2])",
                also=[("zip(gradients, [d_w1, d_b1, d_w2])", "zip(gradients, [d_w1, d_w2])")],
            ),
            Mutant(
                "order of two steps",
                "    d_value = d_train_step(batch, z).numpy()\n    g_value = g_train_step(z).numpy()\n",
                "    g_value = g_train_step(z).numpy()\n    d_value = d_train_step(batch, z).numpy()\n",
            ),
            Mutant(
                "labels exchanged",
                "logits=d_fake, labels=tf.zeros_like(d_fake)",
                "logits=d_fake, labels=tf.ones_like(d_fake)",
            ),
            Mutant("beta", "beta_1=0.5", "beta_1=0.9"),
            Mutant("epsilon of RMSProp", "RMSProp(0.01)", "RMSProp(0.01, epsilon=1e-3)"),
            Mutant(
                "epsilon of RMSProp below rounding",
                "RMSProp(0.01)",
                "RMSProp(0.01, epsilon=1e-7)",
                equivalent="the mean square begins at 1 and is above 0.01 after 40 steps: 1e-7 beside it changes a step by less than rounding does",
            ),
            Mutant("one optimizer for both", "optimizer_1.apply_gradients(", "optimizer.apply_gradients("),
            Mutant(
                "generator stopped",
                "d_fake = discriminator(fake)\n        g_loss",
                "d_fake = discriminator(tf.stop_gradient(noise @ g_w) + g_b)\n        g_loss",
            ),
            Mutant(
                "discriminator stopped",
                "d_fake = discriminator(fake)\n        d_loss",
                "d_fake = discriminator(tf.stop_gradient(fake))\n        d_loss",
                equivalent="the generator's variables are not among this step's targets",
            ),
        ),
    ),
    Subject(
        REPORTS / "recurrent_lengths.py",
        (
            Mutant(
                "gates in another order",
                "i, j, f, o = tf.split(gates, 4, axis=1)",
                "i, f, j, o = tf.split(gates, 4, axis=1)",
                file="legacy_rnn.py",
                often=True,
            ),
            Mutant(
                "transposed gate",
                "tf.sigmoid(i) * self.activation(j)",
                "tf.sigmoid(j) * self.activation(i)",
                file="legacy_rnn.py",
            ),
            Mutant("forget bias", "forget_bias=0.7", "forget_bias=1.0"),
            Mutant("forget bias left out", "tf.sigmoid(f + self.forget_bias)", "tf.sigmoid(f)", file="legacy_rnn.py"),
            Mutant("lengths left out", "dynamic_rnn(cell, x, sequence_length=n)", "dynamic_rnn(cell, x)"),
            Mutant("lengths off by one", "sequence_length=n)", "sequence_length=n - 1)"),
            Mutant("output for state", "dense(state.h)", "dense(outputs[:, -1])"),
            Mutant("cell state for output", "dense(state.h)", "dense(state.c)"),
            Mutant("skipped gradient", "[cell.kernel, cell.bias, dense.kernel", "[cell.kernel, dense.kernel"),
        ),
    ),
    Subject(
        REPORTS / "soft_target_update.py",
        (
            Mutant("dropped update", "    target_b.assign((1 - TAU) * target_b + TAU * b)\n", ""),
            Mutant("target follows at once", "target_w.assign((1 - TAU) * target_w + TAU * w)", "target_w.assign(w)"),
            Mutant("factors exchanged", "(1 - TAU) * target_w + TAU * w", "TAU * target_w + (1 - TAU) * w"),
            Mutant(
                "stale target",
                "        best = tf.reduce_max(tf.matmul(following, target_w) + target_b",
                "        best = tf.reduce_max(tf.matmul(following, w) + b",
            ),
            Mutant(
                "gradient not stopped",
                "tf.matmul(following, target_w) + target_b, axis=1)\n        goal = tf.stop_gradient(reward + GAMMA * best)",
                "tf.matmul(following, w) + b, axis=1)\n        goal = reward + GAMMA * best",
            ),
            Mutant("averaged where summed", "loss = tf.reduce_sum(tf.square", "loss = tf.reduce_mean(tf.square"),
            Mutant("Nesterov", ", nesterov=True", ""),
            Mutant(
                "order of update and read",
                "    value = train_step(feed",
                "    follow()\n    value = train_step(feed",
                also=[(".numpy()\n    follow()\n", ".numpy()\n")],
            ),
            Mutant("counted twice", "updates.assign_add(1)", "updates.assign_add(2)"),
            Mutant(
                "stop_gradient left out",
                "tf.stop_gradient(reward + GAMMA * best)",
                "reward + GAMMA * best",
                equivalent="no target is trained: there is no gradient to stop",
            ),
            Mutant("initial value", "target_w = tf.Variable(w, ", "target_w = tf.Variable(tf.zeros([5, 3]), "),
        ),
    ),
    Subject(
        REPORTS / "averaged_weights.py",
        (
            Mutant(
                "moving average dropped",
                "    step_count.assign_add(1)\n    average.apply([w, b])\n",
                "    step_count.assign_add(1)\n",
            ),
            Mutant(
                "moving average without num_updates",
                "ExponentialMovingAverage(0.95, step_count)",
                "ExponentialMovingAverage(0.95)",
            ),
            Mutant(
                "moving average before the update",
                "    gradients = tape",
                "    average.apply([w, b])\n    gradients = tape",
                also=[("    step_count.assign_add(1)\n    average.apply([w, b])\n", "    step_count.assign_add(1)\n")],
            ),
            Mutant("judged by the weights", "tf.matmul(x, average.average(w))", "tf.matmul(x, w)"),
            Mutant(
                "checkpoint without a variable",
                "tf.train.Checkpoint(w=w, b=b, step_count=step_count)",
                "tf.train.Checkpoint(w=w, step_count=step_count)",
                often=True,
            ),
            Mutant(
                "checkpoint with another value",
                "tf.train.Checkpoint(w=w, b=b,",
                "tf.train.Checkpoint(w=average.average(w), b=b,",
            ),
            Mutant("dropped update", "    spend()\n", "    pass\n"),
            Mutant("update of another size", "spent.assign_add(0.25)", "spent.assign_add(0.2501)"),
            Mutant(
                "count before the moving average",
                "    step_count.assign_add(1)\n    average.apply([w, b])\n",
                "    average.apply([w, b])\n    step_count.assign_add(1)\n",
            ),
            Mutant("checkpoint left out", 'save_checkpoint(checkpoint, "./averaged_weights.ckpt")\n', ""),
        ),
    ),
)
