import { productName } from '../product'

/** A hull on its slip, ready to launch, and the name. */
export const Logo = () => (
  <span className="slipway-logo">
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
      <g transform="rotate(14 16 16)" className="slipway-logo__hull">
        <path d="M3 14h26l-3.2 6.6A6 6 0 0 1 20.4 24H10.2A6 6 0 0 1 5 21z" />
        <path d="M15 3.2 22.6 12H15z" />
        <path d="M13 5.8V12H8.2z" fillOpacity="0.62" />
      </g>
      <path d="m2.4 24.2 26.4 6" className="slipway-logo__slip" />
    </svg>
    <span className="slipway-logo__name">{productName}</span>
  </span>
)
