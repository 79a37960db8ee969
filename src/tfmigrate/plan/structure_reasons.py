"""Why a program is not converted: how its functions, sessions, loops and files fit together."""

from __future__ import annotations

# code, title, sentence, example, advice (where empty: by hand)
STRUCTURE = (
    (
        "TFM101",
        "Model class",
        "An object keeps a part of the graph in a way that leaves open what it holds or who uses it.",
        "model.loss = tf.reduce_mean(...)  # from outside the class",
        "Bind each attribute once, in a method of its own class, and make one object of a class that runs steps.",
    ),
    (
        "TFM102",
        "Subclass of a TensorFlow class",
        "A class extends a class of TensorFlow 1, whose contract has no counterpart.",
        "class MyCell(tf.nn.rnn_cell.RNNCell): ...",
        "",
    ),
    (
        "TFM168",
        "Eager execution in a part of the program",
        "A program switches to eager execution under a condition, or runs a session too: which of its ops have a value "
        "at once is not known.",
        "if FLAGS.eager: tf.enable_eager_execution()",
        "Keep one of the two ways.",
    ),
    (
        "TFM103",
        "Function that builds for its caller",
        "A function makes placeholders, optimizers, train ops, summaries or variables together with "
        "tensors in a way that cannot be split into a part made once and a part of each step.",
        "def train(loss): return tf.train.AdamOptimizer().minimize(loss)",
        "Make the optimizer and the train op in the scope that runs them.",
    ),
    (
        "TFM104",
        "Graph built in several calls",
        "A function builds a graph and runs it, and is called from several places.",
        "train(1); train(2)",
        "",
    ),
    (
        "TFM105",
        "Session run while building",
        "What a step needs is computed by statements that run the session themselves.",
        "for i in range(3):\n    x = x + sess.run(y)\n",
        "Keep the running and the building apart.",
    ),
    (
        "TFM112",
        "Session given away",
        "A session is given to a function whose source is not in the tree.",
        "library.train(sess)",
        "",
    ),
    (
        "TFM122",
        "Fetches differ",
        "The same run site fetches different things from call to call.",
        "for op in ops: sess.run(op)",
        "Write a call for each.",
    ),
    (
        "TFM123",
        "Name bound again",
        "A name is bound again between an update and what must be computed before it.",
        "x = f(x)",
        "Use another name.",
    ),
    (
        "TFM147",
        "Nobody calls it",
        "A function builds or runs a graph and nothing in the program calls it.",
        "def train(sess, op): ...",
        "Convert the tree that holds its caller.",
    ),
    (
        "TFM148",
        "Helper reads the graph",
        "A helper function reads a tensor of the graph around it, which moves into a step.",
        "def f(): return x * 2",
        "Give the tensor to the function as a parameter.",
    ),
    (
        "TFM149",
        "Initialised again",
        "Variables are initialised again while the program runs.",
        "for i in range(3): sess.run(init)",
        "Make the variables anew in each turn.",
    ),
    (
        "TFM150",
        "Shared file",
        "Two programs share a file and need different forms of it.",
        "",
        "Give each program a copy of its own.",
    ),
    (
        "TFM151",
        "Random sequences",
        "Several sessions run the same random ops, and each begins their sequences anew.",
        "with tf.Session() as s: s.run(noise)",
        "Draw with NumPy, or in one session.",
    ),
    (
        "TFM166",
        "Sessions by turns",
        "Two sessions run one graph by turns; each keeps its own values of the variables, of which there is one now.",
        "a.run(train); b.run(loss); a.run(train)",
        "Use one session, or close the first before the second begins.",
    ),
    (
        "TFM159",
        "Kept by its author",
        "A line that `# tfmigrate: keep` keeps belongs to the graph, so that the rest of its program cannot leave it.",
        "loss = tf.log(x)  # tfmigrate: keep",
        "Take the comment away, or convert the program by hand.",
    ),
    (
        "TFM160",
        "Too large to follow",
        "Functions that call functions in nested loops unfold into more statements than are followed.",
        "",
        "",
    ),
    ("TFM190", "Construct", "A construct that is not followed.", "", ""),
    ("TFM191", "Code made at run time", "exec or eval runs code that cannot be analysed.", "exec(text)", ""),
)
