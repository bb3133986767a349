/** Numbers from 0 to below 1, the same for each seed: a linear congruential generator, for simulations in tests. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}
