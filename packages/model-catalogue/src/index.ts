export { catalogueFacts, catalogueModels, type CatalogueVendor } from "./catalogue-facts.ts";
