// Every quantity that there is: its name in code, and its row (QuantityRow, site.h). A new one is a line. Included
// where something is made for each of them, once for each such thing: of HYDRA_QUANTITY, and of HYDRA_HEAD_STAGE for
// what a trace keeps of a head, those in the order of the program (attention.cpp): of pairs of tokens they are scores
// up to own_attention, and from there on weights.
#ifndef HYDRA_HEAD_STAGE
#define HYDRA_HEAD_STAGE HYDRA_QUANTITY
#endif

HYDRA_QUANTITY(embedding, "embedding", "E", "model:quantity.embedding", "", input, model, token, model_dim)
HYDRA_QUANTITY(positions, "positions", "P", "model:quantity.positions", "", input, model, token, model_dim)
// Of what type each token is, where there are types; and the sum of the three, where a norm follows it.
HYDRA_QUANTITY(types, "types", "S", "model:quantity.types", "", computed, model, token, model_dim)
HYDRA_QUANTITY(summed, "summed", "X°", "model:quantity.summed", "model:row.summed", computed, model, token, model_dim)
// What the layer reads: the words for the first, for others what the layer before gives; no head.
HYDRA_QUANTITY(X, "X", "X", "model:quantity.x", "model:row.input", input, model, token, model_dim)
// With a head: that head's block; without: the combined matrix.
HYDRA_QUANTITY(W_Q, "W_Q", "W_Q", "model:quantity.w_q", "", weight, part, model_dim, head_dim)
HYDRA_QUANTITY(W_K, "W_K", "W_K", "model:quantity.w_k", "", weight, part, model_dim, head_dim, true)
HYDRA_QUANTITY(W_V, "W_V", "W_V", "model:quantity.w_v", "", weight, part, model_dim, head_dim, true)
HYDRA_QUANTITY(W_O, "W_O", "W_O", "model:quantity.w_o", "", weight, part, head_dim, model_dim)
// Of a head: W_Q^i W_K^iT and W_V^i W_O^i, d_model x d_model.
HYDRA_QUANTITY(query_key, "query_key", "W_QK", "model:quantity.query_key", "", form, head, model_dim, model_dim)
HYDRA_QUANTITY(value_output, "value_output", "W_OV", "model:quantity.value_output", "", form, head, model_dim,
               model_dim)
// 1 x d; with a head: that head's part (b_O has no head).
HYDRA_QUANTITY(b_Q, "b_Q", "b_Q", "model:quantity.b_q", "", bias, part, one, head_dim, false, Start::absent)
HYDRA_QUANTITY(b_K, "b_K", "b_K", "model:quantity.b_k", "", bias, part, one, head_dim, true, Start::absent)
HYDRA_QUANTITY(b_V, "b_V", "b_V", "model:quantity.b_v", "", bias, part, one, head_dim, true, Start::absent)
HYDRA_QUANTITY(b_O, "b_O", "b_O", "model:quantity.b_o", "", bias, layer, one, model_dim, false, Start::absent)
// 1 x d, of the norms of queries and keys; with a head: that head's part.
HYDRA_QUANTITY(gain_Q, "gain_Q", "γ_Q", "model:quantity.gain_q", "", bias, part, one, head_dim, false, Start::ones)
HYDRA_QUANTITY(gain_K, "gain_K", "γ_K", "model:quantity.gain_k", "", bias, part, one, head_dim, true, Start::ones)
// 1 x heads.
HYDRA_QUANTITY(sink, "sink", "s", "model:quantity.sink", "", bias, layer, one, heads, false, Start::zeros)
// d_model x d, of the heads' output gates, with a head: that head's part; d_model x heads, where each head has one.
HYDRA_QUANTITY(W_G, "W_G", "W_G", "model:quantity.w_g", "", weight, part, model_dim, head_dim)
HYDRA_QUANTITY(w_G, "w_G", "w_G", "model:quantity.head_gate_weights", "", weight, layer, model_dim, heads)
// heads x heads: what a head takes (its row) of each one's scores (before softmax), or weights (after it).
HYDRA_QUANTITY(P_L, "P_L", "P_L", "model:quantity.p_l", "", weight, layer, heads, heads)
HYDRA_QUANTITY(P_W, "P_W", "P_W", "model:quantity.p_w", "", weight, layer, heads, heads)
// heads x offsets: what is added to a head's scores by how far the key is from the query.
HYDRA_QUANTITY(offset_bias, "B", "B", "model:quantity.offset_bias", "", weight, layer, heads, offset, false,
               Start::small)
// 1 x d_k / 2: how much each head takes away of its second pattern.
HYDRA_QUANTITY(lambda_q1, "lambda_q1", "λ_q1", "model:quantity.lambda_q1", "", bias, layer, one, half_dim, false,
               Start::small)
HYDRA_QUANTITY(lambda_k1, "lambda_k1", "λ_k1", "model:quantity.lambda_k1", "", bias, layer, one, half_dim, false,
               Start::small)
HYDRA_QUANTITY(lambda_q2, "lambda_q2", "λ_q2", "model:quantity.lambda_q2", "", bias, layer, one, half_dim, false,
               Start::small)
HYDRA_QUANTITY(lambda_k2, "lambda_k2", "λ_k2", "model:quantity.lambda_k2", "", bias, layer, one, half_dim, false,
               Start::small)
// 1 x d, of the norm of the heads' outputs; with a head: that head's part.
HYDRA_QUANTITY(gain_O, "gain_O", "γ_O", "model:quantity.gain_o", "", bias, part, one, head_dim, false, Start::ones)
// 1 x d: of the norms.
HYDRA_QUANTITY(gain_1, "gain_1", "γ₁", "model:quantity.gain_1", "", bias, layer, one, model_dim, false, Start::ones)
HYDRA_QUANTITY(shift_1, "shift_1", "β₁", "model:quantity.shift_1", "", bias, layer, one, model_dim, false, Start::zeros)
HYDRA_QUANTITY(gain_2, "gain_2", "γ₂", "model:quantity.gain_2", "", bias, layer, one, model_dim, false, Start::ones)
HYDRA_QUANTITY(shift_2, "shift_2", "β₂", "model:quantity.shift_2", "", bias, layer, one, model_dim, false, Start::zeros)
// 1 x d: of the norms of what the heads, and the feed-forward part, give.
HYDRA_QUANTITY(gain_Y, "gain_Y", "γ_Y", "model:quantity.gain_y", "", bias, layer, one, model_dim, false, Start::ones)
HYDRA_QUANTITY(shift_Y, "shift_Y", "β_Y", "model:quantity.shift_y", "", bias, layer, one, model_dim, false,
               Start::zeros)
HYDRA_QUANTITY(gain_F, "gain_F", "γ_F", "model:quantity.gain_f", "", bias, layer, one, model_dim, false, Start::ones)
HYDRA_QUANTITY(shift_F, "shift_F", "β_F", "model:quantity.shift_f", "", bias, layer, one, model_dim, false,
               Start::zeros)
// Of the feed-forward part: into its hidden numbers, what they are multiplied by, and back.
HYDRA_QUANTITY(W_1, "W_1", "W_1", "model:quantity.w_1", "", weight, layer, model_dim, hidden_dim)
HYDRA_QUANTITY(b_1, "b_1", "b_1", "model:quantity.b_1", "", bias, layer, one, hidden_dim, false, Start::absent)
HYDRA_QUANTITY(W_3, "W_3", "W_3", "model:quantity.w_3", "", weight, layer, model_dim, hidden_dim)
HYDRA_QUANTITY(W_2, "W_2", "W_2", "model:quantity.w_2", "", weight, layer, hidden_dim, model_dim)
HYDRA_QUANTITY(b_2, "b_2", "b_2", "model:quantity.b_2", "", bias, layer, one, model_dim, false, Start::absent)
// Of a head.
HYDRA_HEAD_STAGE(Q, "Q", "Q", "model:quantity.q", "model:row.query", computed, head, token, head_dim)
HYDRA_HEAD_STAGE(K, "K", "K", "model:quantity.k", "model:row.key", computed, head, token, head_dim, true)
HYDRA_HEAD_STAGE(V, "V", "V", "model:quantity.v", "model:row.value", computed, head, token, head_dim, true)
HYDRA_HEAD_STAGE(normed_Q, "normed_Q", "Q°", "model:quantity.normed_q", "model:row.normed_query", computed, head, token,
                 head_dim)
HYDRA_HEAD_STAGE(normed_K, "normed_K", "K°", "model:quantity.normed_k", "model:row.normed_key", computed, head, token,
                 head_dim, true)
// Rotated by their positions.
HYDRA_HEAD_STAGE(rotated_Q, "rotated_Q", "Q'", "model:quantity.rotated_q", "model:row.rotated_query", computed, head,
                 token, head_dim)
HYDRA_HEAD_STAGE(rotated_K, "rotated_K", "K'", "model:quantity.rotated_k", "model:row.rotated_key", computed, head,
                 token, head_dim, true)
// 1 x 1: of the second pattern so much is taken away, in all heads.
HYDRA_QUANTITY(lambda, "lambda", "λ", "model:quantity.lambda", "", computed, layer, one, one)
// Of the head alone, where heads talk before softmax.
HYDRA_HEAD_STAGE(own_scores, "own_scores", "S°", "model:quantity.own_scores", "", recomputed, head, token, token)
// What softmax sees; of differential attention for its first pattern, and for the second.
HYDRA_HEAD_STAGE(scores, "scores", "S", "model:quantity.scores", "", recomputed, head, token, token)
HYDRA_HEAD_STAGE(scores_2, "scores_2", "S'", "model:quantity.scores_2", "", recomputed, head, token, token)
// As softmax gives it, where heads talk after that, or a second pattern is taken away.
HYDRA_HEAD_STAGE(own_attention, "own_attention", "A°", "model:quantity.own_attention", "", recomputed, head, token,
                 token)
// The second pattern.
HYDRA_HEAD_STAGE(attention_2, "attention_2", "A'", "model:quantity.attention_2", "", recomputed, head, token, token)
// What multiplies V, but for dropout.
HYDRA_HEAD_STAGE(attention, "attention", "A", "model:quantity.attention", "", computed, head, token, token)
// Some of it dropped: what multiplies V, where there is dropout.
HYDRA_HEAD_STAGE(dropped_attention, "dropped_attention", "D", "model:quantity.dropped_attention", "", recomputed, head,
                 token, token)
HYDRA_HEAD_STAGE(output, "output", "O", "model:quantity.output", "model:row.output", computed, head, token, head_dim)
// Normalised, times 1 - lambda_0.
HYDRA_HEAD_STAGE(normed_output, "normed_output", "O°", "model:quantity.normed_output", "model:row.normed_output",
                 computed, head, token, head_dim)
// Of each number of the output.
HYDRA_HEAD_STAGE(output_gate, "output_gate", "G", "model:quantity.output_gate", "model:row.gate", computed, head, token,
                 head_dim)
// Of each head.
HYDRA_QUANTITY(head_gates, "head_gates", "G", "model:quantity.head_gates", "model:row.gates", computed, layer, token,
               heads)
HYDRA_HEAD_STAGE(gated_output, "gated_output", "O'", "model:quantity.gated_output", "model:row.gated_output", computed,
                 head, token, head_dim)
HYDRA_HEAD_STAGE(contribution, "contribution", "Z", "model:quantity.contribution", "model:row.contribution", recomputed,
                 head, token, model_dim)
// a_ij ||v_j W_O^i||, of a head.
HYDRA_QUANTITY(value_weighted, "value_weighted", "N", "model:quantity.value_weighted", "", asked, head, token, token)
// Mean over heads: no head.
HYDRA_QUANTITY(mean_attention, "mean_attention", "Ā", "model:quantity.mean_attention", "", asked, layer, token, token)
HYDRA_QUANTITY(concat, "concat", "C", "model:quantity.concat", "", computed, layer, token, head_dim)
// Of the layer's heads.
HYDRA_QUANTITY(Y, "output", "Y", "model:quantity.y", "model:row.output", computed, layer, token, model_dim)
// What a block has around its heads (layer_program.cpp); those of its settings are there.
HYDRA_QUANTITY(norm_1, "norm_1", "N₁", "model:quantity.norm_1", "model:row.normed_input", computed, layer, token,
               model_dim)
HYDRA_QUANTITY(normed_Y, "normed_Y", "Y°", "model:quantity.normed_y", "model:row.normed_part", computed, layer, token,
               model_dim)
HYDRA_QUANTITY(sum_1, "sum_1", "T₁", "model:quantity.sum_1", "model:row.sum", computed, layer, token, model_dim)
HYDRA_QUANTITY(stream_1, "stream_1", "R₁", "model:quantity.stream_1", "model:row.stream", computed, layer, token,
               model_dim)
HYDRA_QUANTITY(norm_2, "norm_2", "N₂", "model:quantity.norm_2", "model:row.normed_stream", computed, layer, token,
               model_dim)
HYDRA_QUANTITY(inner, "inner", "U", "model:quantity.inner", "model:row.hidden_row", computed, layer, token, hidden_dim)
HYDRA_QUANTITY(inner_gate, "inner_gate", "G", "model:quantity.inner_gate", "model:row.hidden_row", computed, layer,
               token, hidden_dim)
HYDRA_QUANTITY(hidden, "hidden", "H", "model:quantity.hidden", "model:row.hidden_row", computed, layer, token,
               hidden_dim)
HYDRA_QUANTITY(feed_forward, "feed_forward", "F", "model:quantity.feed_forward", "model:row.output", computed, layer,
               token, model_dim)
HYDRA_QUANTITY(normed_F, "normed_F", "F°", "model:quantity.normed_f", "model:row.normed_part", computed, layer, token,
               model_dim)
HYDRA_QUANTITY(sum_2, "sum_2", "T₂", "model:quantity.sum_2", "model:row.sum", computed, layer, token, model_dim)
HYDRA_QUANTITY(stream, "stream", "R", "model:quantity.stream", "model:row.stream", computed, layer, token, model_dim)
// Tables that the words' vectors, the positions and the types are rows of, where they are learned.
HYDRA_QUANTITY(E, "E", "W_E", "model:quantity.e", "", weight, model, word, model_dim)
HYDRA_QUANTITY(P, "P", "W_P", "model:quantity.p", "", weight, model, place, model_dim)
HYDRA_QUANTITY(T, "T", "W_S", "model:quantity.t", "", weight, model, type, model_dim)
// 1 x d: of the norm of their sum.
HYDRA_QUANTITY(gain_E, "gain_E", "γ_E", "model:quantity.gain_e", "", bias, model, one, model_dim, false, Start::ones)
HYDRA_QUANTITY(shift_E, "shift_E", "β_E", "model:quantity.shift_e", "", bias, model, one, model_dim, false,
               Start::zeros)
// Of the transform before the readout.
HYDRA_QUANTITY(W_T, "W_T", "W_T", "model:quantity.w_t", "", weight, model, model_dim, model_dim)
HYDRA_QUANTITY(b_T, "b_T", "b_T", "model:quantity.b_t", "", bias, model, one, model_dim, false, Start::absent)
// 1 x d: of the final norm.
HYDRA_QUANTITY(final_gain, "gain", "γ", "model:quantity.final_gain", "", bias, model, one, model_dim, false,
               Start::ones)
HYDRA_QUANTITY(final_shift, "shift", "β", "model:quantity.final_shift", "", bias, model, one, model_dim, false,
               Start::zeros)
// Of a readout.
HYDRA_QUANTITY(W_U, "W_U", "W_U", "model:quantity.w_u", "", weight, model, model_dim, next_word)
HYDRA_QUANTITY(b_U, "b_U", "b_U", "model:quantity.b_u", "", bias, model, one, next_word, false, Start::absent)
// What follows the last layer (readout.cpp); those of the settings are there.
HYDRA_QUANTITY(transformed, "transformed", "M", "model:quantity.transformed", "model:row.transformed", computed, model,
               token, model_dim)
HYDRA_QUANTITY(activated, "activated", "M'", "model:quantity.activated", "model:row.activated", computed, model, token,
               model_dim)
HYDRA_QUANTITY(final, "final", "N", "model:quantity.final", "model:row.final_stream", computed, model, token, model_dim)
HYDRA_QUANTITY(logits, "logits", "L", "model:quantity.logits", "model:row.logits", computed, model, token, next_word)
HYDRA_QUANTITY(probabilities, "probabilities", "p", "model:quantity.probabilities", "", computed, model, token,
               next_word)

#undef HYDRA_QUANTITY
#undef HYDRA_HEAD_STAGE
