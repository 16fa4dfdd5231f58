/** The web vitals of this visit, by the library that defines them. Loaded lazily: it competes with nothing a person waits for. */
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

export function observeVitals(measure: (key: string, value: number) => void): void {
  for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    observe(({ name, value }) => measure(`vitals.${name}`, Math.round(value * 1000) / 1000));
  }
}
