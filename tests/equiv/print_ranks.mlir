// What each rank holds, and that a file with layouts is held to itself without.
// RUN: dtc-equiv %s --mesh=tp:2 --inputs=x=[1,2,3,4] --print-ranks | FileCheck %s
// RUN: dtc-equiv %s --mesh=tp:1,tp:3,tp:4 --seed=7 | FileCheck %s --check-prefix=MESHES

// Rank 0 holds [1, 2], rank 1 holds [3, 4]; both end with all four, in order.
// CHECK: rank=0 whole=[1, 2, 3, 4]
// CHECK: rank=1 whole=[1, 2, 3, 4]
// CHECK: mesh=tp:2 outputs=1 max_rel_diff=0 ok

// MESHES: mesh=tp:1 outputs=1 max_rel_diff=0 ok
// MESHES: mesh=tp:3 outputs=1 max_rel_diff=0 ok
// MESHES: mesh=tp:4 outputs=1 max_rel_diff=0 ok
#split = #dtc.layout<pp=1:On{0}, dp=1:R, tp=2:S(0), mb=1:R>
#r = #dtc.layout<pp=1:On{0}, dp=1:R, tp=2:R, mb=1:R>
func.func @whole(%x: tensor<4xf32, #split> {dtc.input = "x"}) -> tensor<4xf32, #r> {
  %0 = dtc.all_gather %x over "tp" : tensor<4xf32, #split> -> tensor<4xf32, #r>
  return %0 : tensor<4xf32, #r>
}
