export { catalogueFacts, type CatalogueVendor } from "./catalogue-facts.ts";
export { catalogueModels } from "./catalogue-models.ts";
