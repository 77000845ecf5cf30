"""Prints every mesh of dp, tp, pp and mb up to argv[1], with zero = argv[2]."""

import itertools
import sys

sizes = range(1, int(sys.argv[1]) + 1)
print(",".join(f"dp:{dp}xtp:{tp}xpp:{pp}xmb:{mb}xzero:{sys.argv[2]}"
               for dp, tp, pp, mb in itertools.product(sizes, repeat=4)))
