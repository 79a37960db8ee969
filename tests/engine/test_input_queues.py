"""Input queues: the pipelines that they become, what stays of a Coordinator, and what is refused.

That converted pipelines give the numbers of TensorFlow 1.15 is shown by tests/cases/convert/queue_*.py.
"""

from __future__ import annotations

import pytest
from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = "import numpy as np\nimport tensorflow as tf\ndata = np.arange(8.0)\n"
ROWS = "x, i = tf.train.slice_input_producer([data, np.arange(8)], shuffle=False)\n"
RUN = (
    "with tf.Session() as sess:\n"
    "    sess.run(tf.local_variables_initializer())\n"
    "    coord = tf.train.Coordinator()\n"
    "    threads = tf.train.start_queue_runners(sess=sess, coord=coord)\n"
)
END = "    coord.request_stop()\n    coord.join(threads)\n"
PRINT = "    print(sess.run(b))\n"


def test_files_in_order_are_one_dataset_of_their_lines() -> None:
    found = converted(
        "import tensorflow as tf\n# The files.\n"
        "queue = tf.train.string_input_producer(['a.csv', 'b.csv'], num_epochs=2, shuffle=False)\n"
        "reader = tf.TextLineReader()\nkey, line = reader.read(queue)\n"
        "n = tf.string_to_number(line)\nb = tf.train.batch([n], 4)\n" + RUN + PRINT + END
    )
    assert found.status is Status.NATIVE
    assert "# The files.\ndataset = tf.data.TextLineDataset(['a.csv', 'b.csv']).repeat(2)\n" in found.text
    assert "def preprocess(line):\n    n = tf.strings.to_number(line)\n    return n\n" in found.text
    assert "dataset = dataset.map(preprocess).batch(4, drop_remainder=True).prefetch(1)\n" in found.text
    assert "reader" not in found.text
    assert "coord" not in found.text


def test_file_names_are_shuffled_in_each_epoch() -> None:
    found = converted(
        "import os\nimport tensorflow as tf\nfiles = os.listdir('d')\n"
        "queue = tf.train.string_input_producer(files, seed=7)\n"
        "_, record = tf.TFRecordReader().read(queue)\nb = tf.train.batch([record], 4)\n" + RUN + PRINT + END
    )
    assert "tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), seed=7).repeat()" in found.text
    assert "queue.flat_map(tf.data.TFRecordDataset)" in found.text


def test_one_file_needs_no_shuffling() -> None:
    found = converted(
        "import tensorflow as tf\nqueue = tf.train.string_input_producer(['a'])\n"
        "_, record = tf.TFRecordReader().read(queue)\nb = tf.train.batch([record], 4)\n" + RUN + PRINT + END
    )
    assert "dataset = tf.data.TFRecordDataset(['a']).repeat().batch(4" in found.text
    assert ".shuffle(" not in found.text


def test_a_shuffling_queue_is_a_buffer_of_its_capacity() -> None:
    found = converted(
        HEAD
        + ROWS
        + "b, j = tf.train.shuffle_batch([x, i], 2, capacity=50, min_after_dequeue=10,\n"
        + "                              allow_smaller_final_batch=True)\n"
        + RUN
        + PRINT
        + END
    )
    assert found.status is Status.NATIVE
    assert ".shuffle(50).batch(2).prefetch(1)" in found.text


def test_a_function_that_returns_elements_returns_their_dataset() -> None:
    found = converted(
        HEAD
        + "def read(values):\n"
        + "    x, i = tf.train.slice_input_producer([values, np.arange(8)], shuffle=False)\n"
        + "    return tf.cast(x, tf.float32), i\n"
        + "x, i = read(data)\nb, j = tf.train.batch([x, i], 2)\n"
        + RUN
        + PRINT
        + END
    )
    assert found.status is Status.NATIVE
    assert "    return dataset.map(preprocess)\n" in found.text
    assert "read(data).batch(2, drop_remainder=True)" in found.text


def test_each_run_takes_one_element_for_all_that_it_fetches() -> None:
    found = converted(
        HEAD
        + ROWS
        + "b, j = tf.train.batch([x, i], 2)\nt = tf.reduce_sum(b)\n"
        + RUN
        + "    print(sess.run([t, b, j]))\n"
        + END
    )
    assert found.text.count("iterator.get_next()") == 1


def test_an_op_printed_on_the_way_is_left_out_and_told() -> None:
    found = converted(HEAD + ROWS + "print(x)\nb = tf.train.batch([x], 2)\n" + RUN + PRINT + END)
    assert found.status is Status.NATIVE
    assert "TFM406" in found.codes
    assert "print(x)" not in found.text


def test_loops_that_ask_the_coordinator_go_on_until_the_data_ends() -> None:
    found = converted(
        HEAD
        + ROWS
        + "b = tf.train.batch([x], 2)\n"
        + RUN
        + "    try:\n        n = 0\n        while not coord.should_stop() and n < 5:\n"
        + "            print(sess.run(b))\n            n += 1\n            if coord.should_stop():\n"
        + "                break\n    finally:\n        coord.request_stop()\n        coord.join(threads)\n"
    )
    assert found.status is Status.NATIVE
    assert "while n < 5:\n" in found.text
    assert "try:" not in found.text
    assert "should_stop" not in found.text


def test_an_error_given_to_the_coordinator_is_not_swallowed() -> None:
    found = converted(
        HEAD
        + ROWS
        + "b = tf.train.batch([x], 2)\n"
        + RUN
        + "    try:\n        print(sess.run(b))\n    except Exception as e:\n        coord.request_stop(e)\n"
        + END
    )
    assert "except tf.errors.OutOfRangeError:\n    pass\n" in found.text
    assert "except Exception" not in found.text


def test_a_coordinator_that_is_asked_after_the_end_stays() -> None:
    found = converted(
        HEAD
        + ROWS
        + "b = tf.train.batch([x], 2)\n"
        + RUN
        + "    while not coord.should_stop():\n        print(sess.run(b))\n        coord.request_stop()\n"
        + "    coord.join(threads)\n"
    )
    assert found.status is Status.NATIVE
    assert "while not coord.should_stop():\n" in found.text
    assert "threads = []\n" in found.text


@pytest.mark.parametrize(
    "lines",
    [
        ROWS + "b = tf.train.batch([x], 2)\nj = tf.train.batch([i], 2)\n",  # each takes rows of its own
        ROWS + "w = tf.Variable(1.0)\nb = tf.train.batch([tf.cast(x, tf.float32) * w], 2)\n",
        ROWS + "p = tf.placeholder(tf.float64, [])\nb = tf.train.batch([x * p], 2)\n",
        ROWS + "k = 2.0\ny = x * k\nk = 3.0\nb = tf.train.batch([y], 2)\n",
        ROWS + "y = x * 2.0\ntf.summary.scalar('y', y)\nb = tf.train.batch([y], 2)\n",
        "for g in range(2):\n    x, i = tf.train.slice_input_producer([data, data])\n    b = tf.train.batch([x], 2)\n",
        "q = tf.train.string_input_producer(['a', 'b'])\nr = tf.TextLineReader()\n_, x = r.read(q)\n_, y = r.read(q)\n"
        "b = tf.train.batch([x], 2)\n",
        "q = tf.train.string_input_producer(['a', 'b'])\nr = tf.TextLineReader()\nkey, x = r.read(q)\n"
        "b = tf.train.batch([key, x], 2)\n",  # names with line numbers
        "q = tf.RandomShuffleQueue(9, 2, tf.float64)\nb = q.dequeue()\n",
        "b = tf.train.batch([data], 2, enqueue_many=True, shapes=[[]])\n",
    ],
)
def test_queues_without_a_form_in_tf_data_are_refused(lines: str) -> None:
    found = converted(HEAD + lines + RUN + PRINT + END)
    assert "TFM118" in found.errors


def test_a_second_session_would_begin_anew() -> None:
    twice = "with tf.Session() as sess:\n    tf.train.start_queue_runners(sess=sess)\n    print(sess.run(b))\n"
    found = converted(HEAD + ROWS + "b = tf.train.batch([x], 2)\n" + twice + twice)
    assert found.errors == {"TFM127"}
