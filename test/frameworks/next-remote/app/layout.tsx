import type { ReactNode } from "react";

const CSS = "body { margin: 0 } img { display: block; max-width: 100%; height: auto } .wide { width: 100% }";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
        <style>{CSS}</style>
      </head>
      <body>{children}</body>
    </html>
  );
}
