// Vitest evaluates this file before every test file, and its imports once per worker.
import './patient-waits'
import './property-seed'
