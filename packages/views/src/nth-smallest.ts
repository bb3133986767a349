/**
 * After so many rounds, of which each should halve what is left, the rest is sorted instead: names are chosen by users,
 * who could arrange them so that each round takes only two rows away.
 */
const mostRounds = (count: number): number => 8 + 4 * Math.ceil(Math.log2(count + 1))

/**
 * Moves values of `from` to `to` (exclusive) so that the one at `nth` is where sorting would put it, smaller ones are
 * in front of it and larger ones behind it. Takes time in proportion to their number: Hoare's quickselect.
 */
export function nthSmallest(
  values: Int32Array,
  from: number,
  to: number,
  nth: number,
  compare: (a: number, b: number) => number,
): void {
  let [low, high] = [from, to - 1]
  for (let round = 0; low < high; round++) {
    if (round > mostRounds(to - from)) return void values.subarray(low, high + 1).sort(compare)
    const pivot = medianOfThree(values, low, high, compare)
    let [left, right] = [low, high]
    while (left <= right) {
      while (compare(values[left] ?? 0, pivot) < 0) left++
      while (compare(values[right] ?? 0, pivot) > 0) right--
      if (left > right) break
      swap(values, left++, right--)
    }
    if (nth <= right) high = right
    else if (nth >= left) low = left
    else return
  }
}

/** Rows are often sorted already, as lists are by name: the first or the last one would be the worst choice. */
function medianOfThree(values: Int32Array, low: number, high: number, compare: (a: number, b: number) => number) {
  const middle = (low + high) >> 1
  const [first, second, third] = [values[low] ?? 0, values[middle] ?? 0, values[high] ?? 0]
  if (compare(first, second) < 0) {
    if (compare(second, third) < 0) return second
    return compare(first, third) < 0 ? third : first
  }
  if (compare(first, third) < 0) return first
  return compare(second, third) < 0 ? third : second
}

function swap(values: Int32Array, a: number, b: number) {
  const value = values[a] ?? 0
  values[a] = values[b] ?? 0
  values[b] = value
}

/** The number that sorting would put at an index; moves the numbers about. */
export function nthNumber(numbers: Float64Array, nth: number): number {
  let [low, high] = [0, numbers.length - 1]
  for (let round = 0; low < high; round++) {
    if (round > mostRounds(numbers.length)) {
      numbers.subarray(low, high + 1).sort()
      break
    }
    const pivot = medianNumber(numbers[low] ?? 0, numbers[(low + high) >> 1] ?? 0, numbers[high] ?? 0)
    let [left, right] = [low, high]
    while (left <= right) {
      while ((numbers[left] ?? 0) < pivot) left++
      while ((numbers[right] ?? 0) > pivot) right--
      if (left > right) break
      const number = numbers[left] ?? 0
      numbers[left++] = numbers[right] ?? 0
      numbers[right--] = number
    }
    if (nth <= right) high = right
    else if (nth >= left) low = left
    else break
  }
  return numbers[nth] ?? NaN
}

const medianNumber = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
