import Image from "next/image";
import { pages } from "../../remote.json";

/** `/` shows the pictures of the first page, `/1` those of the second, and so on. */
export const generateStaticParams = () => pages.map((_, at) => ({ page: at === 0 ? [] : [String(at)] }));

export const dynamicParams = false;

export default async function Page({ params }: { params: Promise<{ page?: string[] }> }) {
  const { page = [] } = await params;
  const [hero, card] = pages[Number(page[0] ?? 0)];
  return (
    <main>
      <Image {...hero} alt="" className="wide" sizes="100vw" data-name="hero" loading="eager" />
      <Image src={card.src} width={400} height={300} alt="" data-name="card" loading="eager" />
    </main>
  );
}
