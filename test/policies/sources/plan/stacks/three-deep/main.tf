# Products by count, services of each by for_each, the workload of each in a third module.
module "product" {
  source = "./modules/product"
  count  = 2
  name   = "p${count.index}"
}
