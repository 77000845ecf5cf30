// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// @layout_unknown_axis
// expected-error @below {{axis "ep", expected pp, dp, tp or mb}}
func.func private @f(tensor<8x4xf32, #dtc.layout<ep=2:R>>)

// -----

// @layout_order
// expected-error @below {{axis "dp" stands after "tp", expected the order pp, dp, tp, mb, each once}}
func.func private @f(tensor<8x4xf32, #dtc.layout<tp=2:R, dp=2:R>>)

// -----

// @layout_axis_twice
// expected-error @below {{axis "tp" stands after "tp", expected the order}}
func.func private @f(tensor<8x4xf32, #dtc.layout<tp=2:R, tp=2:R>>)

// -----

// @layout_size
// expected-error @below {{axis "dp" has size 0, expected 1 or more}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=0:R>>)

// -----

// @layout_state
// expected-error @below {{state "Q", expected R, S(dim), P(kind), X or On{stages}}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:Q>>)

// -----

// @layout_reduction
// expected-error @below {{reduction "min", expected sum, max or or}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:P(min)>>)

// -----

// @layout_stage_is_replicated
// expected-error @below {{axis "pp" holds R, expected On{stages} or P(kind){stages}}}
func.func private @f(tensor<8x4xf32, #dtc.layout<pp=2:R>>)

// -----

// @layout_partial_without_stages
// expected-error @below {{axis "pp" holds P(sum), expected On{stages} or P(kind){stages}}}
func.func private @f(tensor<8x4xf32, #dtc.layout<pp=2:P(sum)>>)

// -----

// @layout_no_such_stage
// expected-error @below {{axis "pp" holds On{2}, but its stages are 0 to 1}}
func.func private @f(tensor<8x4xf32, #dtc.layout<pp=2:On{2}>>)

// -----

// @layout_stage_twice
// expected-error @below {{stage 1 stands here twice}}
func.func private @f(tensor<8x4xf32, #dtc.layout<pp=2:On{1, 1}>>)

// -----

// @layout_on_elsewhere
// expected-error @below {{axis "dp" holds On{0}, but only "pp" has stages}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:On{0}>>)

// -----

// @layout_stages_elsewhere
// expected-error @below {{axis "dp" holds P(sum){0}, but only "pp" has stages}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:P(sum){0}>>)

// -----

// @layout_split_outside
// expected-error @below {{axis "dp" holds S(2) of a tensor of rank 2}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:S(2)>>)

// -----

// @layout_opaque_matrix
// expected-error @below {{axis "tp" holds X of a tensor of rank 2, but only a bucket (rank 1) is opaque}}
func.func private @f(tensor<8x4xf32, #dtc.layout<tp=2:X>>)

// -----

// @layout_pads_missing
// expected-error @below {{blocks of dimension 0 (7 elements) do not fill, so the layout must say what pads hold, as in pad(0:zero)}}
func.func private @f(tensor<7x4xf32, #dtc.layout<dp=2:S(0)>>)

// -----

// @layout_pads_of_a_full_dimension
// expected-error @below {{the layout lists pads of dimension 0, which has none}}
func.func private @f(tensor<8x4xf32, #dtc.layout<dp=2:S(0), pad(0:zero)>>)

// -----

// @layout_nested_pads_missing
// expected-error @below {{blocks of dimension 0 (6 elements) do not fill}}
func.func private @f(tensor<6x4xf32, #dtc.layout<dp=2:S(0), mb=2:S(0)>>)

// -----

// @layout_pads_out_of_order
// expected-error @below {{pads of dimension 0 stand out of order, expected increasing dimensions, each once}}
func.func private @f(tensor<7x5xf32, #dtc.layout<dp=2:S(0), tp=2:S(1), pad(1:any, 0:any)>>)

// -----

// @layout_pad_kind
// expected-error @below {{pad "none", expected zero, any or fill}}
func.func private @f(tensor<7x4xf32, #dtc.layout<dp=2:S(0), pad(0:none)>>)

// -----

// @local_shape
// expected-error @below {{local shape [7, 4], expected [4, 4] of global shape [7, 4]}}
func.func private @f(tensor<7x4xf32, #dtc.local<7x4, #dtc.layout<dp=2:S(0), pad(0:zero)>>>)

// -----

// @local_pads
// expected-error @below {{blocks of dimension 0 (7 elements) do not fill}}
func.func private @f(tensor<4x4xf32, #dtc.local<7x4, #dtc.layout<dp=2:S(0)>>>)
