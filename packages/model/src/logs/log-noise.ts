/**
 * What differs between two logs of the same program although nothing has changed. The patterns look for one thing each,
 * in this order: what an earlier one has replaced has no digits left for a later one.
 */
const noise: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  // 2026-11-29T18:49:48.123Z, 2026/11/29 18:49:48, and klog's I1129 18:49:48.123456.
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?)?/g, '{time}'],
  [/\b[IWEF]\d{4} (?=\d\d:\d\d:\d\d)/g, ''],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '{time}'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '{id}'],
  // Digests and commits. Words such as `defaced` have no digit.
  [/\b(?:sha\d+:)?(?=[a-f]*\d)[0-9a-f]{7,}\b/g, '{hash}'],
  // The suffix of a generated name, in the alphabet of Kubernetes.
  [/(?<=[a-z0-9]-)(?=[bcdfghjklmnpqrstvwxz]*[2-9])[bcdfghjklmnpqrstvwxz2-9]{5}(?![a-z0-9])/g, '{name}'],
  [/(?<=\/(?:tmp|var\/tmp|workspace\/tmp)\/)[\w.-]+/g, '{file}'],
  [/\b\d+(?:[.,]\d+)?(?=\s?(?:%|(?:[munµ]?s|secs?|seconds?|min(?:utes?)?|[kKMGT]i?B|bytes?)\b))/g, '{n}'],
]

/** Beyond this, a line is data. */
const comparedLength = 1_000

/** A line without times, identifiers, hashes, durations and sizes, so that those of two runs can be compared. */
export const withoutNoise = (line: string): string =>
  noise.reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), line.slice(0, comparedLength))
