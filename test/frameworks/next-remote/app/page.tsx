import Image from "next/image";
import { pictures } from "../remote.json";

const [hero, card] = pictures;

export default function Page() {
  return (
    <main>
      <Image {...hero} alt="" className="wide" sizes="100vw" data-name="hero" loading="eager" />
      <Image src={card.src} width={400} height={300} alt="" data-name="card" loading="eager" />
    </main>
  );
}
