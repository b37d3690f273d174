// Binary search.

/**
 * search returns the last index below `length` for which at(index) is at most `value`, or -1 if there is
 * none. The values of `at` must not decrease.
 */
export function search(length: number, at: (index: number) => number, value: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
