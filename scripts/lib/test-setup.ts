// Vitest evaluates this file before every test file, and what it imports once per worker.
import './patient-waits'
import './property-seed'
