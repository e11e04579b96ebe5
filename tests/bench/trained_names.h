// The names of heads of models that were trained: docs/names.md, the second half.
#pragma once

// So many fresh runs of each task, named as the program names them, and looked at on sequences that named none. Prints
// tables: layers with a name after a few steps and on shuffled words; and of trained heads how many names are false,
// and how many heads that do a job have its name.
void print_trained_names(int runs);
