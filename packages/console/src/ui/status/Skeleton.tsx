import '@patternfly/react-styles/css/components/Skeleton/skeleton.css'
import type { CSSProperties } from 'react'

interface SkeletonProps {
  width?: string
  height?: string
  className?: string
  screenreaderText?: string
}

/** A placeholder of the frame and of the landing page, with the elements of PatternFly's `Skeleton`. */
export const Skeleton = ({ width, height, className = '', screenreaderText }: SkeletonProps) => (
  <div
    className={`pf-v6-c-skeleton ${className}`}
    style={{ '--pf-v6-c-skeleton--Width': width, '--pf-v6-c-skeleton--Height': height } as CSSProperties}
  >
    <span className="pf-v6-screen-reader">{screenreaderText}</span>
  </div>
)
