/** Red, green and blue, each up to 255. */
export type Rgb = readonly [number, number, number]

/** Above the 4.5 of WCAG 1.4.3, since a selected line has a slightly darker or lighter background. */
const enough = 5.2

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/** A colour that is legible on a background: unchanged if it is, else mixed with black or white until it is. */
export function readableOn(background: Rgb, colour: Rgb): Rgb {
  const end = contrast(background, white) > contrast(background, black) ? white : black
  for (let step = 0; step < 20; step++) {
    const mixed = mix(colour, end, step / 20)
    if (contrast(background, mixed) >= enough) return mixed
  }
  return end
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  Math.round(a[0] + (b[0] - a[0]) * share),
  Math.round(a[1] + (b[1] - a[1]) * share),
  Math.round(a[2] + (b[2] - a[2]) * share),
]
